// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits for whom where a flit goes over a link, for setups that want to be told
// (net/engine.h, struct net_contest).
#include "net/lanes/lanes_run.h"

// The packets on the other lanes of a link that have a flit for it wait a cycle for this one.
static void lanes_contest_yield(const struct lanes_run *run, uint32_t lane)
{
	const uint32_t number = lanes_arbiter_of(run, lane);
	const uint32_t going = run->slots[run->slots[lane].holder].worm;
	const uint64_t others = run->arbiters[number].ready & ~lanes_bit(run, lane);

	for (uint64_t rest = others; rest != 0; rest &= rest - 1) {
		const uint32_t other = (number << run->sizes.arbiter_shift) +
				       (uint32_t)__builtin_ctzll(rest);

		if (!lanes_is_host(run, run->links[lanes_link_of(run, other)].from))
			net_drive_yields(&run->net, run->slots[run->slots[other].holder].worm,
					 going, run->clock.cycle_ticks);
	}
}

static void lanes_contest_move(struct lanes_run *run, uint32_t lane)
{
	lanes_contest_yield(run, lane);
	if (run->queuing.organisation->divided)
		lanes_queues_move(run, lane);
	else
		lanes_kinds[run->params->switching].move(run, lane);
}

void lanes_contend(struct lanes_run *run)
{
	run->kind.move = lanes_contest_move;
}
