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

const struct lanes_rule lanes_orders[] = {
	[LANES_ROUND_ROBIN] = {.slips = false},
	[LANES_FIRST_COME] = {.rank = lanes_order_first_come},
	[LANES_AGE] = {.rank = lanes_order_age},
	[LANES_PRIORITY] = {.rank = lanes_order_priority},
	[LANES_ISLIP] = {.slips = true},
};
