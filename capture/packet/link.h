// SPDX-License-Identifier: GPL-3.0-or-later
// Link types: the number that a capture file gives one (LINKTYPE_ of tcpdump.org/linktypes.html)
// and how its frames begin.
#ifndef PACKET_LINK_H
#define PACKET_LINK_H

#include <stdbool.h>
#include <stdint.h>

struct pk_packet;
struct pk_rest;

// Reads the link's header in rest and goes on to the network layer; answers a why.
typedef uint32_t pk_link_decode(struct pk_rest *rest, struct pk_packet *packet);

#define PK_LINK_ETHERNET 1u

struct pk_link {
	uint16_t number;	  // LINKTYPE_
	bool big_endian;	  // order of the file that it was met in
	uint8_t pseudo_bytes;	  // put before the frame by the capture; on no wire, not counted
	uint32_t frame_bytes_max; // a capture that claims to hold more of a frame is damaged
	pk_link_decode *decode;	  // NULL: frames are counted, not decoded
};

// The link type of a number in a file of that byte order; one that is not known is valid too.
struct pk_link pk_link_of(uint16_t number, bool big_endian);

// The number that files have for a link type of libpcap's functions (DLT_), equal but for a few.
uint16_t pk_link_from_dlt(int dlt);

#endif
