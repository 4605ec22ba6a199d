// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/ahead.h"

void ahead_set_sender(struct ahead *ahead, uint32_t src, uint32_t header_B, uint8_t class)
{
	ahead->header_B = header_B;
	ahead->class = class;
	for (unsigned i = 0; i < AHEAD_PACKETS; i++)
		ahead->src[i] = src;
}

size_t ahead_merge(const struct ahead_sources *all, struct agenda *agenda, uint64_t *id, struct tr_packet *packets, size_t max)
{
	struct agenda own = *agenda; // stays in registers
	const uint64_t first_id = *id;
	size_t n = 0;

	for (; n < max && own.next_ticks < all->end_ticks; n++) {
		struct ahead *ahead = (struct ahead *)(void *)((char *)all->sources + own.next * all->stride);
		const unsigned at = ahead->at++;
		const uint32_t payload_B = ahead->payload_B[at];

		packets[n] = (struct tr_packet){
			.time_ticks = own.next_ticks,
			.id = first_id + n,
			.flow = TR_FLOW_NONE,
			.src = ahead->src[at],
			.dst = ahead->dst[at],
			.payload_bytes = payload_B,
			.wire_bytes = source_wire_B(payload_B, ahead->header_B),
			.class = ahead->class,
		};
		if (ahead->at == AHEAD_PACKETS) {
			all->make(all->train, ahead);
			ahead->at = 0;
		}
		agenda_postpone(&own, ahead->ticks[ahead->at]);
	}
	*agenda = own;
	*id += n;
	return n;
}
