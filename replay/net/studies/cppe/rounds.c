// SPDX-License-Identifier: GPL-3.0-or-later
// The packet switch in rounds, as the thesis runs it (Qu 2001, section 5.4.3): at every multiple of
// the quantum each processor sends at most one packet, that of earliest arrival whose link is free
// by then. Processors take turns in the order of their numbers, since a link has two ends; a packet
// that has come in this round goes on in the next one.
#include "net/studies/cppe/technique.h"

static void rounds_layout(struct cppe_run *cppe)
{
	const uint32_t processors = net_graph_switches(&cppe->net.graph);

	cppe_store_layout(cppe);
	cppe->store.next = sim_arena_take(&cppe->net.arena, cppe_store_room(cppe),
					  sizeof(*cppe->store.next));
	cppe->store.first = sim_arena_take(&cppe->net.arena, processors,
					   sizeof(*cppe->store.first));
	sim_marks_layout(&cppe->store.holders, &cppe->net.arena, processors);
}

static enum tr_status open(struct cppe_run *cppe, struct tr_error *err)
{
	for (uint32_t i = 0; i < net_graph_switches(&cppe->net.graph); i++)
		cppe->store.first[i] = CPPE_NO_PACKET;
	return cppe_store_open(cppe, err);
}

// A place for a packet. There is one: of a source for each message, and of others held_max.
static uint32_t rounds_keep(struct cppe_store *store, const struct cppe_packet *packet)
{
	uint32_t place = store->spare;

	if (place != CPPE_NO_PACKET)
		store->spare = store->next[place];
	else
		place = store->used++;
	store->packets[place] = *packet;
	store->count++;
	return place;
}

// Adds a packet to the list of its processor.
static void rounds_add(struct cppe_run *cppe, uint32_t place)
{
	struct cppe_store *store = &cppe->store;
	const uint32_t processor = store->packets[place].node - cppe->net.graph.hosts;

	store->next[place] = store->first[processor];
	store->first[processor] = place;
	sim_marks_add(&store->holders, processor);
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

// The link of the list that names the packet to be sent from a processor; NULL for none.
static uint32_t *rounds_choose(const struct cppe_run *cppe, uint32_t processor)
{
	const struct cppe_store *store = &cppe->store;
	uint32_t *best = NULL;

	for (uint32_t *link = &store->first[processor]; *link != CPPE_NO_PACKET;
	     link = &store->next[*link])
		if (rounds_is_ready(cppe, &store->packets[*link]) &&
		    (!best || cppe_store_before(&store->packets[*link], &store->packets[*best])))
			best = link;
	return best;
}

// Takes the packet out of its processor, where one behind it takes its place.
static struct cppe_packet rounds_take(struct cppe_run *cppe, uint32_t processor, uint32_t *link)
{
	struct cppe_store *store = &cppe->store;
	const uint32_t place = *link;
	const struct cppe_packet packet = store->packets[place];

	if (cppe_store_has_more(cppe, &packet)) {
		store->packets[place].index++;
		return packet;
	}
	*link = store->next[place];
	store->next[place] = store->spare;
	store->spare = place;
	store->count--;
	if (store->first[processor] == CPPE_NO_PACKET)
		sim_marks_remove(&store->holders, processor);
	return packet;
}

static void run_round(struct cppe_run *cppe)
{
	struct cppe_store *store = &cppe->store;
	uint32_t moved = CPPE_NO_PACKET;

	for (uint32_t i = 0; (i = sim_marks_next(&store->holders, i)) != SIM_NO_MARK; i++) {
		uint32_t *link = rounds_choose(cppe, i);
		struct cppe_packet packet;
		uint32_t place;

		if (!link)
			continue;
		packet = rounds_take(cppe, i, link);
		if (!cppe_store_forward(cppe, &packet))
			continue;
		place = rounds_keep(store, &packet);
		store->next[place] = moved;
		moved = place;
	}
	while (moved != CPPE_NO_PACKET) {
		const uint32_t place = moved;

		moved = store->next[place];
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
