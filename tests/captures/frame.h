// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of a link type around packets, with their known contents.
#ifndef CAPTURES_FRAME_H
#define CAPTURES_FRAME_H

#include "captures/packet.h"

struct cm_frame {
	struct cm_buffer bytes;
	int64_t time_ns;
	uint32_t captured_bytes; // <= bytes.size
	uint32_t pseudo_bytes;	 // in front, not on the wire
	uint16_t link;
	bool offload;	// make packets with lengths of 0, as segmentation offload leaves them
	bool decodable; // from the captured bytes
	uint32_t payload_bytes;
	uint32_t lost_bytes; // that its headers have beyond bytes
};

// Makes the next frame of a link type (LINKTYPE_) into *frame, reusing its bytes. snap_bytes 0:
// captured whole. If flitcap does not read the link's headers, the frame is not decodable.
void cm_frame_make(struct cm_frame *frame, struct tr_random *random, uint16_t link,
		   uint32_t snap_bytes, uint32_t payload_max);

#endif
