// SPDX-License-Identifier: GPL-3.0-or-later
// The packet switch in rounds, as the thesis runs it (Qu 2001, section 5.4.3): at every multiple of
// the quantum each processor sends at most one packet, that of earliest arrival whose link is free
// by then. Processors take turns in the order of their numbers, since a link has two ends; a packet
// that has come in this round goes on in the next one.
#include "net/studies/cppe/technique.h"

// Ports of all nodes: an output has the number of its port.
static uint32_t rounds_outputs(const struct cppe_run *cppe)
{
	return (uint32_t)cppe->net.graph.first[cppe->net.graph.nodes];
}

static void rounds_layout(struct cppe_run *cppe)
{
	const uint32_t outputs = rounds_outputs(cppe);

	cppe_store_layout(cppe);
	cppe->store.branches = sim_arena_take(&cppe->net.arena, cppe_store_room(cppe),
					      sizeof(*cppe->store.branches));
	cppe->store.roots = sim_arena_take(&cppe->net.arena, outputs, sizeof(*cppe->store.roots));
	sim_marks_layout(&cppe->store.outputs, &cppe->net.arena, outputs);
}

static enum tr_status open(struct cppe_run *cppe, struct tr_error *err)
{
	for (uint32_t i = 0; i < rounds_outputs(cppe); i++)
		cppe->store.roots[i] = CPPE_NO_PACKET;
	return cppe_store_open(cppe, err);
}

// A place for a packet. There is one: of a source for each message, and of others held_max.
static uint32_t rounds_keep(struct cppe_store *store, const struct cppe_packet *packet)
{
	uint32_t place = store->spare;

	if (place != CPPE_NO_PACKET)
		store->spare = store->branches[place].next;
	else
		place = store->used++;
	store->packets[place] = *packet;
	store->count++;
	return place;
}

// The packets of an output are a pairing heap (Fredman, Sedgewick, Sleator and Tarjan, "The pairing
// heap: a new form of self-adjusting heap", Algorithmica 1, 1986), the first by arrival first.

// Joins two heaps; returns the first packet of both.
static uint32_t rounds_join(struct cppe_store *store, uint32_t a, uint32_t b)
{
	const bool before = cppe_store_before(&store->packets[a], &store->packets[b]);
	const uint32_t first = before ? a : b, below = before ? b : a;

	store->branches[below].next = store->branches[first].first;
	store->branches[first].first = below;
	return first;
}

// The heaps at the side of each other, from one on, as one: in pairs, and these from the last.
static uint32_t rounds_join_all(struct cppe_store *store, uint32_t heap)
{
	uint32_t pairs = CPPE_NO_PACKET, all;

	while (heap != CPPE_NO_PACKET) {
		const uint32_t second = store->branches[heap].next;
		uint32_t pair = heap;

		heap = second != CPPE_NO_PACKET ? store->branches[second].next : CPPE_NO_PACKET;
		if (second != CPPE_NO_PACKET)
			pair = rounds_join(store, pair, second);
		store->branches[pair].next = pairs;
		pairs = pair;
	}
	all = pairs;
	while (all != CPPE_NO_PACKET && (pairs = store->branches[all].next) != CPPE_NO_PACKET) {
		const uint32_t behind = store->branches[pairs].next;

		all = rounds_join(store, all, pairs);
		store->branches[all].next = behind;
	}
	return all;
}

// The number of the output that a packet leaves by: those of a processor follow one another.
static uint32_t rounds_output(const struct cppe_run *cppe, const struct cppe_packet *packet)
{
	return (uint32_t)cppe->net.graph.first[packet->node] +
	       cppe->net.pool.worms[packet->worm].route[packet->hop];
}

// Adds a packet to the heap of its output.
static void rounds_add(struct cppe_run *cppe, uint32_t place)
{
	struct cppe_store *store = &cppe->store;
	const uint32_t output = rounds_output(cppe, &store->packets[place]);
	const uint32_t root = store->roots[output];

	store->branches[place].first = CPPE_NO_PACKET;
	store->roots[output] = root == CPPE_NO_PACKET ? place : rounds_join(store, root, place);
	sim_marks_add(&store->outputs, output);
}

static void rounds_start(struct cppe_run *cppe, uint32_t number)
{
	struct cppe_packet packet;

	if (cppe_store_cut(cppe, number, &packet))
		rounds_add(cppe, rounds_keep(&cppe->store, &packet));
}

static bool rounds_is_ready(const struct cppe_run *cppe, const struct cppe_packet *packet)
{
	return packet->arrival_ticks <= cppe->net.now_ticks &&
	       *cppe_store_free(cppe, packet) <= cppe->net.now_ticks;
}

// The output, of those from one on and before an end, whose first packet is to be sent;
// SIM_NO_MARK: none.
static uint32_t rounds_choose(const struct cppe_run *cppe, uint32_t output, uint32_t end)
{
	const struct cppe_store *store = &cppe->store;
	uint32_t best = SIM_NO_MARK;

	for (; output < end; output = sim_marks_next(&store->outputs, output + 1)) {
		const struct cppe_packet *packet = &store->packets[store->roots[output]];

		if (rounds_is_ready(cppe, packet) &&
		    (best == SIM_NO_MARK ||
		     cppe_store_before(packet, &store->packets[store->roots[best]])))
			best = output;
	}
	return best;
}

// Takes the first packet out of its output, where one behind it in its message takes its place.
static struct cppe_packet rounds_take(struct cppe_run *cppe, uint32_t output)
{
	struct cppe_store *store = &cppe->store;
	const uint32_t place = store->roots[output];
	const struct cppe_packet packet = store->packets[place];

	if (cppe_store_has_more(cppe, &packet)) {
		store->packets[place].index++; // still before all others
		return packet;
	}
	store->roots[output] = rounds_join_all(store, store->branches[place].first);
	if (store->roots[output] == CPPE_NO_PACKET)
		sim_marks_remove(&store->outputs, output);
	store->branches[place].next = store->spare;
	store->spare = place;
	store->count--;
	return packet;
}

static void run_round(struct cppe_run *cppe)
{
	struct cppe_store *store = &cppe->store;
	uint32_t moved = CPPE_NO_PACKET, end;

	for (uint32_t i = 0; (i = sim_marks_next(&store->outputs, i)) != SIM_NO_MARK; i = end) {
		const uint32_t node = store->packets[store->roots[i]].node;
		struct cppe_packet packet;
		uint32_t output, place;

		end = (uint32_t)cppe->net.graph.first[node + 1];
		output = rounds_choose(cppe, i, end);
		if (output == SIM_NO_MARK)
			continue;
		packet = rounds_take(cppe, output);
		if (!cppe_store_forward(cppe, &packet))
			continue;
		place = rounds_keep(store, &packet);
		store->branches[place].next = moved;
		moved = place;
	}
	while (moved != CPPE_NO_PACKET) {
		const uint32_t place = moved;

		moved = store->branches[place].next;
		rounds_add(cppe, place);
	}
}

static void rounds_advance(struct cppe_run *cppe)
{
	const int64_t quantum_ticks = cppe->times.quantum_ticks;
	const int64_t past_ticks = (cppe->net.now_ticks % quantum_ticks + quantum_ticks) %
				   quantum_ticks;
	struct cppe_store *store = &cppe->store;

	if (past_ticks == 0 && store->round_ticks != cppe->net.now_ticks) {
		store->round_ticks = cppe->net.now_ticks;
		run_round(cppe);
	}
	store->next_round_ticks = store->count > 0
					  ? cppe->net.now_ticks - past_ticks + quantum_ticks
					  : INT64_MAX;
}

static int64_t rounds_next_ticks(const struct cppe_run *cppe)
{
	return cppe->store.next_round_ticks;
}

const struct cppe_technique cppe_rounds = {.layout = rounds_layout,
					   .open = open,
					   .start = rounds_start,
					   .advance = rounds_advance,
					   .next_ticks = rounds_next_ticks};
