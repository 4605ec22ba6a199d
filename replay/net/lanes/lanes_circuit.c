// SPDX-License-Identifier: GPL-3.0-or-later
// Circuit switching: the header goes alone and takes the lane of every link on its way. When it is
// at its destination, the packet passes all of them at once, a flit in a cycle; then they are free.
#include "net/lanes/lanes_run.h"

void lanes_circuit_move(struct lanes_run *run, uint32_t lane)
{
	struct lanes_slot *to = &run->slots[lane];
	const uint32_t from = to->holder;
	struct lanes_arbiter *arbiter = &run->arbiters[lanes_arbiter_of(run, lane)];

	to->begun = true;
	lanes_stand_behind(run, lane, run->slots[from].worm);
	net_drive_passes(&run->net, lanes_link_of(run, lane), run->slots[from].worm);
	net_drive_see(&run->net, run->net.now_ticks, NET_SEEN_BEGIN, lanes_link_of(run, lane),
		      run->slots[from].worm);
	if (lanes_is_source(run, from))
		run->net.pool.worms[run->slots[from].worm].injected_ticks = run->net.now_ticks;
	lanes_note(run, run->slots[from].worm);
	run->slots[from].may = false;
	arbiter->clear = run->clock.cycle + 1;
	arbiter->ready = 0;
	lanes_add(&lanes_due_in(run, run->links[lanes_link_of(run, lane)].delay)->flits,
		  2 * lane + 1);
}

// The packet has passed: all lanes from its destination back to its source are free.
static uint32_t free_lanes(struct lanes_run *run, uint32_t slot)
{
	uint32_t links = 0;

	while (!lanes_is_source(run, slot)) {
		const uint32_t from = run->slots[slot].holder;

		net_drive_see(&run->net, run->net.now_ticks + run->clock.cycle_ticks, NET_SEEN_END,
			      lanes_link_of(run, slot), run->slots[slot].worm);
		run->slots[slot].flits = 0;
		lanes_leave(run, slot);
		lanes_release(run, slot);
		run->arbiters[lanes_arbiter_of(run, slot)].clear = run->clock.cycle + 1;
		slot = from;
		links++;
	}
	lanes_leave(run, slot);
	return links;
}

// A flit passes over every link of a circuit, from the buffer where it ends back to its source.
static void meter_circuit(struct lanes_run *run, uint32_t slot)
{
	for (; !lanes_is_source(run, slot); slot = run->slots[slot].holder)
		lanes_meter_flit(run, lanes_link_of(run, slot));
}

void lanes_circuit_sink(struct lanes_run *run, uint32_t number)
{
	struct lanes_slot *slot = &run->slots[number];
	struct net_worm *worm = &run->net.pool.worms[slot->worm];
	const uint32_t flits = run->lives[slot->worm].flits;

	if (slot->left == flits)
		worm->head_ticks = run->net.now_ticks + run->clock.cycle_ticks;
	if (run->meters)
		meter_circuit(run, number);
	if (--slot->left > 0)
		return;
	lanes_reach(run, slot->worm);
	run->net.totals->own[LANES_FLIT_HOPS] += (uint64_t)flits * free_lanes(run, number);
}
