// SPDX-License-Identifier: GPL-3.0-or-later
// ECN marks (Ramakrishnan, Floyd and Black, RFC 3168) by the line of random early detection (Floyd
// and Jacobson, 1993) over the queue as it is now, not its average, as DCQCN asks of switches (Zhu
// and others, SIGCOMM 2015). Marking does not depend on what carries the packets.
#include "net/ethernet/ethernet_rules.h"

#define DRAWS_BITS 32 // of a link

void ethernet_marks_layout(struct ethernet_marking *marking, const struct ethernet_marks *params,
			   struct sim_arena *arena, uint32_t links)
{
	if (params->on)
		marking->drawn = sim_arena_take(arena, links, sizeof(*marking->drawn));
}

void ethernet_marks_open(struct ethernet_marking *marking, const struct ethernet_marks *params)
{
	if (params->on)
		tr_random_open(&marking->random, params->seed, "ethernet/marks");
}

// Whether a draw of the link hits most * (over_B / width_B), exactly; over_B is less than width_B.
static bool ethernet_marks_hit(struct ethernet_marking *marking, struct num_ratio most,
			       uint32_t link, uint64_t over_B, uint64_t width_B)
{
	struct tr_random random = marking->random;

	random.counter = (uint64_t)link << DRAWS_BITS | marking->drawn[link]++;
	return tr_random_below(&random, (uint64_t)most.den * width_B) < (uint64_t)most.num * over_B;
}

void ethernet_marks_join(struct ethernet_marking *marking, const struct ethernet_marks *params,
			 struct net_drive *drive, uint32_t link, uint64_t queue_B, uint32_t worm)
{
	struct tr_packet *packet = &drive->pool.worms[worm].packet;

	packet->flags |= TR_FLAG_MARKABLE;
	if (queue_B <= params->from_B)
		return;
	if (queue_B < params->to_B &&
	    !ethernet_marks_hit(marking, params->most, link, queue_B - params->from_B,
				params->to_B - params->from_B))
		return;
	if ((packet->flags & TR_FLAG_MARKED) == 0 && drive->setup->results.link_marks)
		drive->setup->results.link_marks[link]++;
	packet->flags |= TR_FLAG_MARKED;
}
