// SPDX-License-Identifier: GPL-3.0-or-later
// Who is served first, of headers that ask for lanes and of flits that ask for links.
#include "net/lanes/lanes_run.h"

// Who entered the network first.
static unsigned __int128 lanes_order_age(const struct lanes_run *run, uint32_t slot)
{
	return run->net.serials[run->slots[slot].worm];
}

// Who asked first at this switch, then by age. Cycles may be negative.
static unsigned __int128 lanes_order_first_come(const struct lanes_run *run, uint32_t slot)
{
	const uint64_t asked = (uint64_t)run->slots[slot].asked ^ UINT64_C(1) << 63;

	return (unsigned __int128)asked << 64 | run->net.serials[run->slots[slot].worm];
}

// The highest priority, then by age.
static unsigned __int128 lanes_order_priority(const struct lanes_run *run, uint32_t slot)
{
	const uint32_t worm = run->slots[slot].worm;

	return (unsigned __int128)(NET_PRIORITIES - run->lives[worm].priority) << 64 |
	       run->net.serials[worm];
}

// The number of the crossbar's input of a slot at its node. A place at a source is one of its own.
static uint32_t lanes_order_input(const struct lanes_run *run, uint32_t slot)
{
	const uint32_t turn = run->slots[slot].turn, lanes = run->sizes.lanes;
	const uint32_t shift = run->sizes.lane_shift - run->sizes.input_shift;

	return lanes_is_source(run, slot)
		       ? turn << shift
		       : (turn / lanes << shift) + (turn % lanes >> run->sizes.input_shift);
}

// The next input after the one that the link served last, and of its lanes the next after the one
// served last, as where each input nominates one of its lanes for each output.
static unsigned __int128 lanes_order_inputs(const struct lanes_run *run, uint32_t slot)
{
	const struct lanes_slot *at = &run->slots[slot];
	const uint32_t lanes = run->sizes.lanes;
	const uint32_t count = run->nodes[at->node].slots
			       << (run->sizes.lane_shift - run->sizes.input_shift);
	const uint32_t last = run->links[lanes_link_of(run, at->out)].served;
	const uint32_t behind = (lanes_order_input(run, slot) + count - last - 1) % count;
	uint32_t served = 0;

	if (!lanes_is_source(run, slot))
		served = run->queuing.inputs[lanes_input_of(run, slot)].turn % lanes;
	return behind * lanes + (at->turn + lanes - served - 1) % lanes;
}

void lanes_order_serve(struct lanes_run *run, uint32_t lane, bool first)
{
	const uint32_t slot = run->slots[lane].holder;

	if (first)
		run->links[lanes_link_of(run, lane)].served = lanes_order_input(run, slot);
	if (!lanes_is_source(run, slot))
		run->queuing.inputs[lanes_input_of(run, slot)].turn = run->slots[slot].turn;
}

const struct lanes_rule lanes_orders[] = {
	[LANES_ROUND_ROBIN] = {.turns = true},
	[LANES_FIRST_COME] = {.rank = lanes_order_first_come},
	[LANES_AGE] = {.rank = lanes_order_age},
	[LANES_PRIORITY] = {.rank = lanes_order_priority},
	[LANES_ISLIP] = {.slips = true, .turns = true},
	[LANES_INPUTS] = {.slips = true, .turns = true, .inputs = true, .rank = lanes_order_inputs},
};
