// SPDX-License-Identifier: GPL-3.0-or-later
// Packets that end where they are: what a deadlock or a fault takes out of the network. Room that a
// packet leaves is known at once.
#include "net/lanes/lanes_run.h"

uint32_t lanes_worm_in(const struct lanes_run *run, uint32_t slot, uint32_t place)
{
	const struct lanes_slot *at = &run->slots[slot];

	if (place == 0 && at->worm != NET_NO_WORM)
		return at->worm;
	return run->rings[(size_t)slot * run->sizes.ring + (at->first + place) % run->sizes.ring];
}

// Takes what is on a lane of a packet off. Returns how many flits.
static uint32_t take_off_lane(struct lanes_run *run, uint32_t lane, uint32_t worm)
{
	const struct lanes_slot *slot = &run->slots[lane];
	uint32_t place = slot->heads -
			 1; // of the packet whose flits come now; before the first: behind all
	uint32_t count = 0;

	for (uint32_t cycles = 1; cycles <= run->sizes.due_mask; cycles++) {
		struct lanes_list *flits = &lanes_due_in(run, cycles)->flits;

		for (uint32_t i = flits->count; i-- > 0;) {
			if (flits->items[i] / 2 != lane)
				continue;
			place += flits->items[i] % 2;
			if (lanes_worm_in(run, lane, place) != worm)
				continue;
			flits->items[i] = flits->items[--flits->count];
			count++;
		}
	}
	return count;
}

static void strike_out(struct lanes_list *list, uint32_t item)
{
	for (uint32_t i = list->count; i-- > 0;)
		if (list->items[i] == item)
			list->items[i] = list->items[--list->count];
}

// The front packet of a slot does nothing more.
static void lanes_removal_forget(struct lanes_run *run, uint32_t number)
{
	struct lanes_slot *slot = &run->slots[number];
	struct lanes_node *node = &run->nodes[slot->node];
	const uint32_t out = slot->out;

	for (uint32_t cycles = 0; cycles <= run->sizes.due_mask; cycles++) {
		strike_out(&lanes_due_in(run, cycles)->asks, number);
		strike_out(&lanes_due_in(run, cycles)->wakes, number);
	}
	if (slot->sinks)
		strike_out(&run->todo.sinks, number);
	slot->sinks = false;
	if (slot->asks) {
		slot->asks = false;
		node->asking[slot->place] = node->asking[--node->count];
		run->slots[node->asking[slot->place]].place = slot->place;
	}
	if (out < LANES_SINK) {
		run->arbiters[lanes_arbiter_of(run, out)].ready &= ~lanes_bit(run, out);
		lanes_release(run, out);
	}
}

// Takes a packet that is not the first one out of a ring.
static void close_gap(struct lanes_run *run, uint32_t number, uint32_t place)
{
	struct lanes_slot *slot = &run->slots[number];
	uint32_t *ring = run->rings + (size_t)number * run->sizes.ring;

	if (place < slot->heads)
		slot->heads--;
	slot->count--;
	for (uint32_t i = place; i < slot->count; i++)
		ring[(slot->first + i) % run->sizes.ring] =
			ring[(slot->first + i + 1) % run->sizes.ring];
}

static uint32_t place_of(const struct lanes_run *run, uint32_t number, uint32_t worm)
{
	uint32_t place = 0;

	while (lanes_worm_in(run, number, place) != worm)
		place++;
	return place;
}

// Takes a packet out of a slot that it was sent to; from is the slot from which its flits come, if
// some are to come.
static void clear_slot(struct lanes_run *run, uint32_t number, uint32_t worm, uint32_t from)
{
	struct lanes_slot *slot = &run->slots[number];
	const bool front = slot->worm == worm;
	const uint32_t left = front ? slot->left : run->lives[worm].flits;
	const uint32_t sent = left - (from == LANES_NONE ? 0 : run->slots[from].left);
	const bool source = lanes_is_source(run, number);
	const uint32_t lane = source ? number : lanes_buffer_of(run, number);
	const uint32_t flying = source ? 0 : take_off_lane(run, lane, worm);

	if (from != LANES_NONE)
		net_drive_see(&run->net, run->net.now_ticks, NET_SEEN_LOST,
			      lanes_link_of(run, lane), worm);
	if (run->params->switching == LANES_CIRCUIT) {
		slot->flits = 0;
	} else if (!source) {
		run->slots[lane].room += sent;
		slot->flits -= lanes_is_host(run, slot->node) ? 0 : sent - flying;
	}
	if (lane != number) {
		run->slots[lane].flits -= sent - flying;
		lanes_queues_forget(run, lane, worm);
	}
	if (!front) {
		close_gap(run, number, place_of(run, number, worm));
		return;
	}
	lanes_removal_forget(run, number);
	lanes_leave(run, number);
}

void lanes_take_out(struct lanes_run *run, uint32_t worm)
{
	uint32_t slot = run->lives[worm].slot;

	while (slot != LANES_NONE) {
		uint32_t from = lanes_is_source(run, slot)
					? LANES_NONE
					: run->slots[lanes_buffer_of(run, slot)].holder;

		if (from != LANES_NONE && run->slots[from].worm != worm)
			from = LANES_NONE;
		clear_slot(run, slot, worm, from);
		slot = from;
	}
}

void lanes_wake(struct lanes_run *run)
{
	for (uint32_t i = 0; i < run->sizes.lane_count; i++)
		if (run->slots[i].holder != LANES_NONE)
			lanes_try(run, &run->slots[run->slots[i].holder]);
	for (uint32_t i = 0; i < run->net.graph.nodes; i++)
		lanes_touch(run, i);
}
