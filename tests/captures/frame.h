// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of a link type around packets, with what the maker knows of each.
#ifndef CAPTURES_FRAME_H
#define CAPTURES_FRAME_H

#include "captures/packet.h"

struct cm_frame {
	struct cm_buffer bytes;
	int64_t time_ns;
	uint32_t captured_bytes; // <= bytes.size
	uint32_t pseudo_bytes;	 // in front, on no wire
	uint16_t link;
	bool offload;	// wanted: packets whose lengths are 0, as segmentation offload leaves them
	bool decodable; // from the captured bytes
	uint32_t payload_bytes;
};

// Makes the next frame of a link type (LINKTYPE_) into *frame, whose bytes are used again.
// snap_bytes 0: captured whole. Of a link whose headers flitcap does not read, the frame is not
// decodable.
void cm_frame_make(struct cm_frame *frame, struct tr_random *random, uint16_t link, uint32_t snap_bytes, uint32_t payload_max);

#endif
