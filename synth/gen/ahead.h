// SPDX-License-Identifier: GPL-3.0-or-later
// The next packets of a source, made many at a time: what makes them then runs in loops of its own, and taking one is a copy.
// Nothing of this is seen in the traffic, because each source draws from random streams of its own.
#ifndef GEN_AHEAD_H
#define GEN_AHEAD_H

#include <stdint.h>

#include "gen/source.h"
#include "trace/record.h"

#define AHEAD_PACKETS 32u

// The maker fills the columns and sets at to 0; packets are taken up to AHEAD_PACKETS.
struct ahead {
	unsigned at; // the next packet
	int64_t ticks[AHEAD_PACKETS];
	uint32_t payload_B[AHEAD_PACKETS];
	uint32_t dst[AHEAD_PACKETS];
};

static inline int64_t ahead_ticks(const struct ahead *ahead)
{
	return ahead->ticks[ahead->at];
}

// Takes the next packet, of this sender.
static inline void ahead_take(struct ahead *ahead, uint32_t src, uint32_t header_B, uint8_t class, uint64_t id,
			      struct tr_packet *out)
{
	const unsigned at = ahead->at++;
	const uint32_t payload_B = ahead->payload_B[at];

	*out = (struct tr_packet){
		.time_ticks = ahead->ticks[at],
		.id = id,
		.flow = TR_FLOW_NONE,
		.src = src,
		.dst = ahead->dst[at],
		.payload_bytes = payload_B,
		.wire_bytes = source_wire_B(payload_B, header_B),
		.class = class,
	};
}

#endif
