// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated Packet (Qu 2001, section 5.3): as the shortest path, but a processor takes in one
// message at a time. The thesis says whole messages in section 3.3 and packets in section 5.3,
// without a size of them: whole messages here.
#include "net/studies/cppe/technique.h"

static void packet_layout(struct cppe_run *cppe)
{
	cppe_busy_layout(&cppe->busy, &cppe->net.arena, net_graph_switches(&cppe->net.graph),
			 (uint32_t)cppe->params->held_max);
}

static void packet_start(struct cppe_run *cppe, uint32_t number)
{
	int64_t ready_ticks = cppe->net.now_ticks;

	for (uint32_t hop = 0; hop < cppe_hops(cppe); hop++) {
		const int64_t start_ticks = cppe_busy_take(
			&cppe->busy, cppe_far_processor(cppe, cppe_link(cppe, hop)),
			cppe->net.now_ticks, ready_ticks, cppe->times.hop_ticks);

		if (start_ticks == CPPE_BUSY_FULL) {
			net_drive_fail(&cppe->net,
				       "cppe: more busy intervals than the key held allows");
			return;
		}
		ready_ticks = start_ticks + cppe->times.hop_ticks;
		if (hop == 0)
			net_drive_left(&cppe->net, cppe->net.pool.worms[number].source,
				       ready_ticks);
	}
	cppe_send(cppe, number, ready_ticks, ready_ticks);
}

const struct cppe_technique cppe_packet = {.layout = packet_layout, .start = packet_start};
