// SPDX-License-Identifier: GPL-3.0-or-later
// Faults and timeouts. A packet whose time is over is lost wherever it is, and one any of which is
// in a switch that dies. A packet that is on a
// cable that dies, with a flit or with a lane that it has, is lost at once, with all that buffers
// and lanes have of it; so is one that asks when all that it may ask for is dead. A dead cable's
// lanes are given to no packet. A host at its switch neither sends nor takes anything while its
// cable is dead.
#include "net/lanes/lanes_run.h"

bool lanes_is_cut_off(const struct lanes_run *run, uint32_t host)
{
	return run->net.faults.cables &&
	       net_drive_link_is_dead(&run->net, net_graph_peer(&run->net.graph, host, 0)->link);
}

void lanes_lose(struct lanes_run *run, uint32_t worm)
{
	if (run->lives[worm].lost)
		return;
	run->lives[worm].lost = true;
	lanes_add(&run->todo.lost, worm);
}

bool lanes_is_barred(const struct lanes_run *run, uint32_t number)
{
	const struct lanes_ask *ask = &run->asks[number];
	const struct lanes_node *node = &run->nodes[run->slots[number].node];

	if (!run->net.faults.cables)
		return false;
	for (uint32_t i = 0; i < ask->count; i++)
		if (!net_drive_link_is_dead(&run->net,
					    run->out_of[node->first_port + ask->options[i].port]))
			return false;
	return true;
}

void lanes_lose_all(struct lanes_run *run)
{
	struct lanes_list *lost = &run->todo.lost;

	for (uint32_t i = 0; i < lost->count && run->net.status == TR_OK;) {
		const uint32_t end = lost->count;

		net_drive_sort(&run->net, lost->items + i, end - i);
		for (; i < end; i++) {
			const uint32_t worm = lost->items[i], slot = run->lives[worm].slot;
			const uint32_t source = run->net.pool.worms[worm].source;

			if (slot < LANES_SINK)
				lanes_take_out(run, worm);
			run->net.pool.worms[worm].head_ticks = -1;
			net_drive_lose(&run->net, worm);
			if (slot == LANES_SINK)
				net_drive_left(&run->net, source, run->net.now_ticks);
		}
	}
	if (lost->count > 0)
		lanes_wake(run);
	lost->count = 0;
}

// The packets with flits on a lane's link.
static void lose_flying(struct lanes_run *run, uint32_t lane)
{
	uint32_t place = run->slots[lane].heads - 1;

	for (uint32_t cycles = 1; cycles <= run->sizes.due_mask; cycles++) {
		const struct lanes_list *flits = &lanes_due_in(run, cycles)->flits;

		for (uint32_t i = 0; i < flits->count; i++)
			if (flits->items[i] / 2 == lane) {
				place += flits->items[i] % 2;
				lanes_lose(run, lanes_worm_in(run, lane, place));
			}
	}
}

static void lose_of_lane(struct lanes_run *run, uint32_t lane)
{
	const uint32_t holder = run->slots[lane].holder;

	lose_flying(run, lane);
	if (holder != LANES_NONE)
		lanes_lose(run, run->slots[holder].worm);
}

// What a host at its switch has in places of its own, and what it takes.
static void lose_at_switch(struct lanes_run *run, uint32_t host)
{
	for (uint32_t i = 0; i < run->sizes.slots; i++) {
		const struct lanes_slot *slot = &run->slots[i];
		const uint32_t worm = slot->worm;

		if (worm == NET_NO_WORM)
			continue;
		if ((lanes_is_source(run, i) && run->net.pool.worms[worm].source == host) ||
		    (slot->out == LANES_SINK && run->net.pool.worms[worm].destination == host))
			lanes_lose(run, worm);
	}
}

// Those that ask at an end of a cable that has died or recovered.
static void lanes_faults_turn(struct lanes_run *run, uint32_t at)
{
	const struct lanes_node *node = &run->nodes[at];

	for (uint32_t i = 0; i < node->count; i++)
		if (lanes_is_barred(run, node->asking[i]))
			lanes_lose(run, run->slots[node->asking[i]].worm);
	lanes_touch(run, at);
}

// What happens between cycles does so in the last one that has begun.
static void between_cycles(struct lanes_run *run)
{
	run->clock.cycle = lanes_cycle_of(run, run->net.now_ticks);
}

void lanes_expire(void *context, const uint32_t *worms, uint32_t count)
{
	struct lanes_run *run = context;

	between_cycles(run);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t slot = run->lives[worms[i]].slot;

		if (slot == LANES_SINK)
			net_worm_remove(&run->net.pool, lanes_queue_of(run, worms[i]), worms[i]);
		else if (slot == LANES_NONE)
			lanes_forget_reached(run, worms[i]);
		lanes_lose(run, worms[i]);
	}
	lanes_lose_all(run);
	if (run->meters)
		lanes_meter_all(run);
}

void lanes_fault(void *context, uint32_t cable)
{
	struct lanes_run *run = context;

	between_cycles(run);
	for (uint32_t link = 2 * cable; link < 2 * cable + 2; link++) {
		const uint32_t from = run->links[link].from;

		for (uint32_t lane = 0;
		     net_drive_link_is_dead(&run->net, link) && lane < run->sizes.lanes; lane++)
			lose_of_lane(run, lanes_lane(run, link, lane));
		lanes_faults_turn(run, from);
		if (lanes_is_host(run, from) && run->params->is.inside &&
		    lanes_is_cut_off(run, from))
			lose_at_switch(run, from);
	}
	lanes_lose_all(run);
	if (run->meters)
		lanes_meter_all(run);
}

void lanes_die(void *context, uint32_t at)
{
	struct lanes_run *run = context;
	const uint32_t node = run->net.graph.hosts + at;

	between_cycles(run);
	for (uint32_t i = 0; i < run->sizes.first_source; i++)
		for (uint32_t k = 0; run->slots[i].node == node && k < run->slots[i].count; k++)
			lanes_lose(run, lanes_worm_in(run, i, k));
	lanes_lose_all(run);
	if (run->meters)
		lanes_meter_all(run);
}
