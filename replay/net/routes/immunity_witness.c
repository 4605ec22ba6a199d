// SPDX-License-Identifier: GPL-3.0-or-later
// The witness of a fixed point: the channel that is not immune with the states that cannot get
// away, and a cycle.
#include <stdlib.h>
#include <string.h>

#include "net/routes/immunity_point.h"

// The lowest channel that is not immune; one with a state without options before others.
uint32_t point_find_channel(const struct fixpoint *point, uint32_t *destination, bool *dead_end)
{
	uint32_t found = NET_NOBODY;

	*dead_end = false;
	for (uint32_t input = point->places.switches;
	     input < point->places.switches + point->places.count; input++) {
		const uint32_t place = point->places.place_of[input];

		for (uint32_t to = 0; to < point->places.switches && point->blocked[place] > 0;
		     to++) {
			const size_t state = point_state(point, to, place);
			const bool ends = (point->flags[state] & BAD) != 0 &&
					  point->entry[state] == 0;

			if ((point->flags[state] & BLOCKED) == 0 || (found != NET_NOBODY && !ends))
				continue;
			*destination = to;
			*dead_end = ends;
			found = place;
			if (ends)
				return found;
		}
	}
	return found;
}

// The bad states that can be reached from a channel, breadth first.
enum tr_status point_find_stuck(struct fixpoint *point, uint32_t start,
				struct net_immunity *immunity, struct tr_error *err)
{
	const struct point_options here = {point, immunity->destination};
	const size_t base = point_state(point, immunity->destination, 0);
	uint32_t tail = 0;

	immunity->stuck = malloc(((size_t)point->places.count + 1) * sizeof(*immunity->stuck));
	if (!immunity->stuck)
		return tr_no_memory(err, "the states that cannot get away");
	point->queue[tail++] = start;
	point->flags[base + start] &= (uint8_t)~MET;
	for (uint32_t head = 0; head < tail; head++) {
		const uint32_t place = point->queue[head];
		uint32_t at = 0;
		uint32_t next;

		if ((point->flags[base + place] & BAD) != 0)
			immunity->stuck[immunity->stuck_count++] = point->places.input_of[place];
		while ((next = point_next(&here, place, &at)) != NET_NOBODY) {
			if ((point->flags[base + next] & MET) == 0)
				continue;
			point->flags[base + next] &= (uint8_t)~MET;
			point->queue[tail++] = next;
		}
	}
	return TR_OK;
}

// Channels as inputs of the choices, which tells the lowest.
static uint32_t next_wait(const void *context, uint32_t input, uint32_t *at)
{
	const struct fixpoint *point = context;
	const uint32_t place = point->places.place_of[input];
	const uint64_t *mask = point->waits + (size_t)place * point->places.words;

	for (; input >= point->places.switches && *at < point->places.words * 64; ++*at) {
		const uint64_t rest = mask[*at / 64] >> *at % 64;

		if (rest == 0) {
			*at = (*at | 63);
			continue;
		}
		*at += (uint32_t)__builtin_ctzll(rest);
		return point->places.input_of
			[point->places.place_at[point->places.outputs[point->places.to[place]] +
						(*at)++]];
	}
	return NET_NOBODY;
}

// The lowest destination of a worm that holds one channel and may wait for the other, in a state
// with this flag.
static uint32_t waits_for(const struct fixpoint *point, uint8_t flag, uint32_t input, uint32_t next)
{
	const uint32_t place = point->places.place_of[input];
	const uint32_t bit = point->places.bit[point->places.place_of[next]];
	uint32_t to = 0;

	while ((point->flags[point_state(point, to, place)] & flag) == 0 ||
	       !channel_in_mask(
		       channel_mask(&point->places, point->entry[point_state(point, to, place)]),
		       bit))
		to++;
	return to;
}

// Leaves only the waits of states in which no option leads to an immune channel.
static void keep_bad_waits(struct fixpoint *point)
{
	const uint32_t words = point->places.words;

	memset(point->waits, 0, (size_t)point->places.count * words * sizeof(*point->waits));
	for (uint32_t to = 0; to < point->places.switches; to++)
		for (uint32_t place = 0; place < point->places.count; place++) {
			const size_t state = point_state(point, to, place);

			for (uint32_t word = 0; (point->flags[state] & BAD) != 0 && word < words;
			     word++)
				point->waits[(size_t)place * words + word] |= channel_mask(
					&point->places, point->entry[state])[word];
		}
}

enum tr_status point_find_cycle(struct fixpoint *point, struct net_immunity *immunity,
				struct tr_error *err)
{
	const struct net_digraph graph = {point->places.switches + point->places.count, next_wait,
					  point};
	const bool all_immune = immunity->immune == immunity->channels;
	uint32_t *inputs;
	enum tr_status status;

	for (size_t i = 0; i < (size_t)point->places.count * point->places.words; i++)
		immunity->dependencies += (uint64_t)__builtin_popcountll(point->waits[i]);
	if (!all_immune)
		keep_bad_waits(point);
	status = net_digraph_cycle(&graph, &inputs, &immunity->cycle_count, err);
	if (status == TR_OK && immunity->cycle_count > 0) {
		immunity->cycle = calloc(immunity->cycle_count, sizeof(*immunity->cycle));
		status = immunity->cycle ? TR_OK : tr_no_memory(err, "the cycle");
	}
	for (uint32_t i = 0; status == TR_OK && i < immunity->cycle_count; i++)
		immunity->cycle[i] = (struct net_wait){
			inputs[i], waits_for(point, all_immune ? MET : BAD, inputs[i],
					     inputs[(i + 1) % immunity->cycle_count])};
	free(inputs);
	return status;
}
