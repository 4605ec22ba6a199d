// SPDX-License-Identifier: GPL-3.0-or-later
// From a frame's bytes to what a trace keeps of it. Sizes come from the headers, not from how much
// of the frame was captured; what the headers do not say is not guessed.
#ifndef PACKET_DECODE_H
#define PACKET_DECODE_H

#include <stdint.h>

#include "packet/bytes.h"
#include "packet/frame.h"
#include "packet/why.h"

// Who talks to whom. Addresses in network order; an IPv4 address in the first four bytes, the rest
// zero. Without holes, so that two can be compared as bytes.
struct pk_flow_key {
	uint8_t src[16];
	uint8_t dst[16];
	uint16_t src_port; // 0 where there is none
	uint16_t dst_port;
	uint8_t protocol; // IP protocol number
	uint8_t family;   // 4 or 6
	uint16_t zero;
};

struct pk_packet {
	struct pk_flow_key flow;
	uint32_t payload_bytes; // of TCP or UDP; for others, what follows the IP header
	uint16_t flags;         // TR_FLAG_FRAGMENT, _SNAPPED, _SETUP, _CLOSE
};

// What is still to be read of a frame: the captured bytes, and how many more it had on the link.
struct pk_rest {
	struct pk_bytes bytes;
	uint32_t beyond_bytes;
};

// Decodes frame into *packet; answers 0, or why it cannot (*packet is then undefined).
uint32_t pk_decode(const struct pk_frame *frame, struct pk_packet *packet);

// The why of a header that is not there in whole.
static inline uint32_t pk_missing(const struct pk_rest *rest)
{
	return pk_why(rest->beyond_bytes ? PK_CUT : PK_SHORT, 0);
}

// The layers, each from the start of its header. A caller of these has set *packet's flags.
uint32_t pk_decode_ethertype(uint16_t ethertype, struct pk_rest *rest, struct pk_packet *packet);
uint32_t pk_decode_llc(struct pk_rest *rest, struct pk_packet *packet);
uint32_t pk_decode_ip(struct pk_rest *rest, struct pk_packet *packet);
uint32_t pk_decode_ipv4(struct pk_rest *rest, struct pk_packet *packet);
uint32_t pk_decode_ipv6(struct pk_rest *rest, struct pk_packet *packet);

// The transport of packet->flow.protocol; size_bytes is what the IP header leaves for it.
uint32_t pk_decode_transport(struct pk_rest *rest, uint32_t size_bytes, struct pk_packet *packet);

#endif
