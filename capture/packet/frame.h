// SPDX-License-Identifier: GPL-3.0-or-later
// A frame as a capture holds it, before anything in it is decoded.
#ifndef PACKET_FRAME_H
#define PACKET_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/link.h"

// The most bytes of a frame that are lent; what a capture holds beyond is stepped over.
#define PK_FRAME_BYTES_MAX 262144u

enum pk_time_state {
	PK_TIME_KNOWN,	 // time_ns is what the capture says
	PK_TIME_NONE,	 // the capture says none (pcapng simple packets); time_ns is the one before
	PK_TIME_OUTSIDE, // it is outside 1677-09-21 .. 2262-04-11; time_ns is the one before
};

// Frames that are read at a time.
#define PK_FRAMES_MAX 64u

// data and link are lent by the reader until its next call.
struct pk_frame {
	int64_t time_ns; // since the Unix epoch
	const uint8_t *data;
	const struct pk_link *link;
	uint32_t captured_bytes; // at data
	uint32_t wire_bytes;	 // of the frame as it was on the link
	enum pk_time_state time_state;
};

// Bytes of the frame on the link, without what the capture put before it.
static inline uint32_t pk_frame_wire_bytes(const struct pk_frame *frame)
{
	const uint32_t pseudo_bytes = frame->link->pseudo_bytes;

	return frame->wire_bytes > pseudo_bytes ? frame->wire_bytes - pseudo_bytes : 0;
}

#endif
