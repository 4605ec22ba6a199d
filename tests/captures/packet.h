// SPDX-License-Identifier: GPL-3.0-or-later
// Network-layer packets of every kind that flitcap distinguishes, and some that it must reject.
#ifndef CAPTURES_PACKET_H
#define CAPTURES_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "captures/buffer.h"
#include "value/random.h"

enum cm_kind {
	CM_TCP,
	CM_TCP_OPTIONS,
	CM_TCP_EMPTY,
	CM_TCP_SYN,
	CM_UDP,
	CM_ICMP,
	CM_SCTP,
	CM_IPV4_OPTIONS,
	CM_FRAGMENT_FIRST,
	CM_FRAGMENT_LATER,
	CM_TCP6,
	CM_UDP6,
	CM_ICMP6,
	CM_EXTENSIONS6,
	CM_FRAGMENT_FIRST6,
	CM_FRAGMENT_LATER6,
	CM_DECODABLE, // kinds up to here, and CM_LOST_TOTAL
	CM_BAD_VERSION = CM_DECODABLE,
	CM_LOST_TOTAL, // longer than its frame, which lost the rest without saying so
	CM_BAD_OFFSET,
	CM_SHORT_TCP,
	CM_OFFLOAD, // from here on decodable again; their lengths are 0
	CM_TCP_OFFLOAD = CM_OFFLOAD,
	CM_UDP_OFFLOAD,
	CM_TCP6_OFFLOAD,
	CM_UDP6_OFFLOAD,
	CM_EXTENSIONS6_OFFLOAD,
	CM_KINDS
};

// The known contents of a packet.
struct cm_packet {
	bool ipv6;
	bool decodable;
	uint32_t payload_bytes;
	uint32_t lost_bytes;   // of the payload, that the frame does not have
	uint32_t needed_bytes; // bytes that a decoder needs to know all this
};

// Adds a packet of the kind to buffer: addresses 10.0.0.x or fd00::x with x < hosts, sizes up to
// payload_max.
struct cm_packet cm_packet_make(struct cm_buffer *buffer, struct tr_random *random,
				enum cm_kind kind, unsigned hosts, uint32_t payload_max);

#endif
