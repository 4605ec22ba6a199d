// SPDX-License-Identifier: GPL-3.0-or-later
// A frame as a capture holds it, before anything in it is decoded, and its link type.
#ifndef PACKET_FRAME_H
#define PACKET_FRAME_H

#include <stdbool.h>
#include <stdint.h>

// ---- link types: the number in capture files (LINKTYPE_ of tcpdump.org/linktypes.html), and how
// their frames begin

struct pk_packet;
struct pk_rest;

// Decodes the link's header in rest, then the network layer; returns why it cannot, or 0.
typedef uint32_t pk_link_decode(struct pk_rest *rest, struct pk_packet *packet);

#define PK_LINK_ETHERNET 1u

struct pk_link {
	uint16_t number;	  // LINKTYPE_
	bool big_endian;	  // byte order of the capture file
	uint8_t pseudo_bytes;	  // prepended by the capture; not on the wire, not counted
	uint32_t frame_bytes_max; // a capture that claims to hold more of a frame is damaged
	pk_link_decode *decode;	  // NULL: frames are counted, not decoded
	uint64_t rate_bps;	  // as the capture says; 0 where it does not
};

// The link type with this number in a file of that byte order; an unknown one is valid too.
struct pk_link pk_link_of(uint16_t number, bool big_endian);

// libpcap's name of a link type in files; NULL if it has none.
const char *pk_link_name(uint16_t number);

// The number in files (LINKTYPE_) of a link type of libpcap's functions (DLT_); most are equal.
uint16_t pk_link_from_dlt(int dlt);

// ---- frames

// Only this many bytes of a frame are lent; the rest of it is skipped.
#define PK_FRAME_BYTES_MAX 262144u

enum pk_time_state {
	PK_TIME_KNOWN,	 // time_ns is the capture's
	PK_TIME_CARRIED, // the same, but its fraction of a second was a second or more
	PK_TIME_NONE, // the capture has none (pcapng simple packets); time_ns is the previous one
	PK_TIME_OUTSIDE, // it is outside 1677-09-21 .. 2262-04-11; time_ns is the previous one
};

#define PK_TICKS_PER_S 1000000000u // times are nanoseconds

// Frames that are read at a time.
#define PK_FRAMES_MAX 64u

// data and link are lent by the reader until its next call.
struct pk_frame {
	int64_t time_ns; // since the Unix epoch
	const uint8_t *data;
	const struct pk_link *link;
	uint32_t captured_bytes; // at data
	uint32_t wire_bytes; // of the frame as it was on the link; 0, or less than was captured,
			     // where the writer lost it
	uint8_t time_state;  // enum pk_time_state
	uint16_t interface;  // of the capture file, from 0
	uint32_t input;	     // number of the capture among those merged
	bool after_loss; // by the capture, frames before this one, and after the one before, were
			 // lost
	bool decoded;	 // data is what pk_quick_decode gave, a struct pk_quick, not the frame
};

// Whether time_ns is the capture's.
static inline bool pk_frame_is_timed(const struct pk_frame *frame)
{
	return frame->time_state <= PK_TIME_CARRIED;
}

// Bytes of the frame on the link as the capture says, without what the capture prepended. Of a
// frame whose length it lost (0) they are what was captured.
static inline uint32_t pk_frame_wire_bytes(const struct pk_frame *frame)
{
	const uint32_t wire_bytes = frame->wire_bytes ? frame->wire_bytes : frame->captured_bytes;
	const uint32_t pseudo_bytes = frame->link->pseudo_bytes;

	return wire_bytes > pseudo_bytes ? wire_bytes - pseudo_bytes : 0;
}

#endif
