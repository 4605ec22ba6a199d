// SPDX-License-Identifier: GPL-3.0-or-later
// Where nothing moves any more, each packet waits for another, so following any of these waits ends in a circle.
#include "net/lanes/lanes_run.h"

static const char *const techniques[] = {
	[LANES_WORMHOLE] = "wormhole switching",
	[LANES_CUT_THROUGH] = "virtual cut-through switching",
	[LANES_STORE] = "store-and-forward switching",
	[LANES_CIRCUIT] = "circuit switching",
};

static uint32_t worm_in(const struct lanes_run *run, uint32_t slot, uint32_t place)
{
	const struct lanes_slot *at = &run->slots[slot];

	if (place == 0)
		return at->worm;
	return run->rings[(size_t)slot * run->ring + (at->first + place) % run->ring];
}

// The slot where the header of a packet stands, and its place there.
static uint32_t find_header(const struct lanes_run *run, uint32_t worm, uint32_t *place)
{
	const uint32_t slots = run->first_source + run->graph.hosts * (uint32_t)run->params->sends;

	for (uint32_t i = 0; i < slots; i++) {
		const struct lanes_slot *slot = &run->slots[i];

		for (*place = 0; slot->worm != NET_NO_WORM && *place < (lanes_is_source(run, i) ? 1 : slot->heads); ++*place)
			if (worm_in(run, i, *place) == worm &&
			    (*place > 0 || slot->out == LANES_NONE || (slot->out < LANES_SINK && !run->slots[slot->out].begun)))
				return i;
	}
	return LANES_NONE;
}

// The first lane that the front packet of a slot would take.
static uint32_t wanted(const struct lanes_run *run, const struct lanes_slot *slot, const struct lanes_ask *ask)
{
	const uint32_t link = run->out_of[run->nodes[slot->node].first_port + ask->options[0].port];
	const uint64_t lanes = run->groups[lanes_group_of(run, link, ask->options[0].lane)].lanes;

	return lanes_lane(run, link, (uint32_t)__builtin_ctzll(lanes));
}

// Who holds a lane, or stands in its buffer; of a shared one, in either direction.
static uint32_t occupant(const struct lanes_run *run, uint32_t lane)
{
	const uint32_t other = lanes_other(run, lane);

	if (run->slots[lane].holder != LANES_NONE)
		return run->slots[run->slots[lane].holder].worm;
	if (run->slots[lane].worm != NET_NO_WORM || !run->params->is.shared)
		return run->slots[lane].worm;
	return run->slots[other].holder != LANES_NONE ? run->slots[run->slots[other].holder].worm : run->slots[other].worm;
}

// What a packet waits for: fills in the step, and returns the packet that has it; NET_NO_WORM if nothing is found.
static uint32_t follow(const struct lanes_run *run, uint32_t worm, struct net_circle_step *step)
{
	uint32_t place;
	const uint32_t at = find_header(run, worm, &place);
	const struct lanes_slot *slot = &run->slots[at == LANES_NONE ? 0 : at];
	uint32_t lane = at, next;

	if (at == LANES_NONE)
		return NET_NO_WORM;
	next = slot->worm;
	if (place == 0) {
		lane = slot->out != LANES_NONE ? slot->out : wanted(run, slot, &run->asks[at]);
		next = slot->out != LANES_NONE ? run->slots[lane].worm : occupant(run, lane);
	}
	*step = (struct net_circle_step){.packet = run->pool.worms[worm].packet.id,
					 .source = run->pool.worms[worm].source,
					 .destination = run->pool.worms[worm].destination,
					 .link = lanes_link_of(run, lane),
					 .lane = lane - lanes_lane(run, lanes_link_of(run, lane), 0),
					 .queued = place > 0};
	return next;
}

// The oldest packet that waits at the front of a slot.
static uint32_t find_oldest(const struct lanes_run *run)
{
	const uint32_t slots = run->first_source + run->graph.hosts * (uint32_t)run->params->sends;
	uint32_t oldest = NET_NO_WORM;

	for (uint32_t i = 0; i < slots; i++)
		if (run->slots[i].worm != NET_NO_WORM && run->slots[i].asks &&
		    (oldest == NET_NO_WORM || run->lives[run->slots[i].worm].serial < run->lives[oldest].serial))
			oldest = run->slots[i].worm;
	return oldest;
}

// Flits of a packet in the slot where its header stands, or further back; from is the slot from which they came.
static void clear_slot(struct lanes_run *run, uint32_t number, uint32_t place, uint32_t from)
{
	struct lanes_slot *slot = &run->slots[number];
	const uint32_t worm = worm_in(run, number, place);
	const uint32_t left = place == 0 ? slot->left : run->lives[worm].flits;
	const uint32_t flits = lanes_is_source(run, number) ? 0 : left - (from == LANES_NONE ? 0 : run->slots[from].left);
	const uint32_t out = slot->out;

	slot->flits -= flits;
	slot->room += flits;
	if (place > 0) { // it is the last one: those behind it would have come after its tail
		slot->heads--;
		slot->count--;
		return;
	}
	if (slot->asks) {
		struct lanes_node *node = &run->nodes[slot->node];

		slot->asks = false;
		node->asking[slot->place] = node->asking[--node->count];
		run->slots[node->asking[slot->place]].place = slot->place;
	}
	if (out < LANES_SINK) {
		run->arbiters[lanes_arbiter_of(run, out)].ready &= ~lanes_bit(run, out);
		lanes_release(run, out);
	}
	lanes_leave(run, number);
}

// Takes a packet out of all slots, from its header backwards.
static void eject(struct lanes_run *run, uint32_t worm)
{
	uint32_t place;
	uint32_t slot = find_header(run, worm, &place);

	while (slot != LANES_NONE) {
		uint32_t from = lanes_is_source(run, slot) ? LANES_NONE : run->slots[slot].holder;

		if (from != LANES_NONE && run->slots[from].worm != worm)
			from = LANES_NONE;
		clear_slot(run, slot, place, from);
		slot = from;
		place = 0;
	}
	lanes_drop(run, worm);
	for (uint32_t i = 0; i < run->first_source; i++)
		if (run->slots[i].holder != LANES_NONE)
			lanes_try(run, &run->slots[run->slots[i].holder]);
	for (uint32_t i = 0; i < run->graph.nodes; i++)
		lanes_touch(run, i);
}

bool lanes_stand(struct lanes_run *run)
{
	const struct net_circles *circles = &run->setup->circles;
	struct net_circle circle = {.technique = techniques[run->params->switching],
				    .step = (uint64_t)(run->moved + 2),
				    .from_ticks = (run->moved + 1) * run->cycle_ticks,
				    .ejected = run->params->is.eject};
	uint32_t worm = find_oldest(run), count = 0, first, youngest = NET_NO_WORM;

	if (run->stood && !run->params->is.eject)
		return false;
	run->stood = true;
	while (worm != NET_NO_WORM && run->seen[worm] == 0) {
		const uint32_t next = follow(run, worm, &run->steps[count]);

		run->path[count] = worm;
		run->seen[worm] = ++count;
		worm = next;
	}
	first = worm == NET_NO_WORM ? count : run->seen[worm] - 1;
	for (uint32_t i = 0; i < count; i++) {
		run->seen[run->path[i]] = 0;
		if (i < first || (youngest != NET_NO_WORM && run->lives[run->path[i]].serial < run->lives[youngest].serial))
			continue;
		youngest = run->path[i];
		circle.youngest = i - first;
	}
	if (youngest == NET_NO_WORM)
		return false;
	circle.steps = run->steps + first;
	circle.count = count - first;
	if (circles->found)
		circles->found(circles->context, &circle);
	if (run->params->is.eject)
		eject(run, youngest);
	return run->params->is.eject;
}
