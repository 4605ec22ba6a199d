// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/calendar.h"

#include <stdbool.h>

#define NONE UINT32_MAX
#define TAKEN (UINT32_MAX - 1)
#define LEAST_BUCKETS 8192u
#define WORD_BITS 64u

static uint32_t buckets_for(uint32_t components)
{
	uint32_t buckets = LEAST_BUCKETS;

	while (buckets < components && buckets < UINT32_C(1) << 24)
		buckets *= 2;
	return buckets;
}

void sim_calendar_layout(struct sim_calendar *calendar, struct sim_arena *arena,
			 uint32_t components, int64_t usual_ticks, int64_t start_ticks)
{
	struct sim_node *nodes = sim_arena_fill(arena, components, sizeof(*nodes));

	for (uint32_t i = 0; nodes && i < components; i++)
		nodes[i].due_ticks = SIM_NEVER;
	sim_calendar_layout_share(calendar, arena, nodes, components, usual_ticks, start_ticks);
}

void sim_calendar_layout_nodes(struct sim_calendar *calendar, struct sim_arena *arena,
			       uint32_t components)
{
	*calendar = (struct sim_calendar){
		.nodes = sim_arena_fill(arena, components, sizeof(*calendar->nodes))};
}

void sim_calendar_layout_share(struct sim_calendar *calendar, struct sim_arena *arena,
			       struct sim_node *nodes, uint32_t components, int64_t usual_ticks,
			       int64_t start_ticks)
{
	const uint32_t buckets = buckets_for(components);
	int64_t each_ticks = usual_ticks * 256 / (components + 1);

	*calendar = (struct sim_calendar){.nodes = nodes,
					  .components = components,
					  .mask = buckets - 1,
					  .now_ticks = start_ticks - 1};
	while (calendar->shift < 40 && INT64_C(2) << calendar->shift <= each_ticks)
		calendar->shift++;
	calendar->place = start_ticks >> calendar->shift;
	calendar->heads = sim_arena_fill(arena, buckets, sizeof(*calendar->heads));
	calendar->bits = sim_arena_take(arena, buckets / WORD_BITS, sizeof(*calendar->bits));
	calendar->words = sim_arena_take(arena, buckets / WORD_BITS / WORD_BITS,
					 sizeof(*calendar->words));
	calendar->taken = sim_arena_take(arena, 4 * (size_t)components, sizeof(*calendar->taken));
	if (!calendar->taken)
		return;
	for (uint32_t i = 0; i < buckets; i++)
		calendar->heads[i] = NONE;
}

static uint32_t calendar_bucket_of(const struct sim_calendar *calendar, int64_t ticks)
{
	return (uint32_t)(ticks >> calendar->shift) & calendar->mask;
}

// Clears the bucket's bits: its list is empty.
static void empty(struct sim_calendar *calendar, uint32_t bucket)
{
	uint64_t *bits = &calendar->bits[bucket / WORD_BITS];

	calendar->heads[bucket] = NONE;
	*bits &= ~(UINT64_C(1) << bucket % WORD_BITS);
	if (*bits == 0)
		calendar->words[bucket / WORD_BITS / WORD_BITS] &= ~(
			UINT64_C(1) << bucket / WORD_BITS % WORD_BITS);
}

static void calendar_take_out(struct sim_calendar *calendar, uint32_t component)
{
	const struct sim_node *node = &calendar->nodes[component];
	const uint32_t bucket = calendar_bucket_of(calendar, node->due_ticks);

	calendar->pending--;
	if (node->next != NONE)
		calendar->nodes[node->next].previous = node->previous;
	if (node->previous != NONE) {
		calendar->nodes[node->previous].next = node->next;
		return;
	}
	if (node->next != NONE)
		calendar->heads[bucket] = node->next;
	else
		empty(calendar, bucket);
}

static void put_in(struct sim_calendar *calendar, uint32_t component, int64_t ticks)
{
	const int64_t place = ticks >> calendar->shift;
	const uint32_t bucket = (uint32_t)place & calendar->mask;
	const uint32_t next = calendar->heads[bucket];

	calendar->pending++;
	if (place < calendar->place)
		calendar->place = place;
	calendar->heads[bucket] = component;
	calendar->nodes[component] = (struct sim_node){ticks, next, NONE};
	if (next != NONE) {
		calendar->nodes[next].previous = component;
		return;
	}
	calendar->bits[bucket / WORD_BITS] |= UINT64_C(1) << bucket % WORD_BITS;
	calendar->words[bucket / WORD_BITS / WORD_BITS] |= UINT64_C(1)
							   << bucket / WORD_BITS % WORD_BITS;
}

void sim_calendar_put(struct sim_calendar *calendar, uint32_t component, int64_t ticks)
{
	struct sim_node *node = &calendar->nodes[component];

	if (node->due_ticks != SIM_NEVER && node->previous != TAKEN)
		calendar_take_out(calendar, component);
	if (ticks == SIM_NEVER) {
		node->due_ticks = SIM_NEVER;
	} else if (ticks == calendar->now_ticks) {
		*node = (struct sim_node){.due_ticks = ticks, .previous = TAKEN};
		calendar->taken[calendar->taken_count++] = component;
	} else {
		put_in(calendar, component, ticks);
	}
}

// The first nonempty bucket from this word on, around the ring; NONE if all are empty. Rare: apart
// from what runs at each tick.
static __attribute__((noinline)) uint32_t bucket_from(const struct sim_calendar *calendar,
						      uint32_t word)
{
	const uint32_t words = (calendar->mask + 1) / WORD_BITS;

	for (uint32_t i = 0; i <= words / WORD_BITS + 1; i++) {
		uint64_t marks;

		word = word < words ? word : 0;
		marks = calendar->words[word / WORD_BITS] >> word % WORD_BITS;
		if (marks != 0) {
			word += (uint32_t)__builtin_ctzll(marks);
			return word * WORD_BITS + (uint32_t)__builtin_ctzll(calendar->bits[word]);
		}
		word = (word / WORD_BITS + 1) * WORD_BITS;
	}
	return NONE;
}

// The first nonempty bucket from this one on, around the ring; NONE if all are empty.
static inline uint32_t next_bucket(const struct sim_calendar *calendar, uint32_t bucket)
{
	const uint64_t rest = calendar->bits[bucket / WORD_BITS] >> bucket % WORD_BITS;

	return rest != 0 ? bucket + (uint32_t)__builtin_ctzll(rest)
			 : bucket_from(calendar, bucket / WORD_BITS + 1);
}

void sim_calendar_ahead(const struct sim_calendar *calendar, uint32_t *components, uint32_t count)
{
	uint32_t bucket = (uint32_t)calendar->place & calendar->mask;

	for (uint32_t i = 0; i < count; i++) {
		if (bucket != NONE)
			bucket = next_bucket(calendar, (bucket + 1) & calendar->mask);
		components[i] = bucket != NONE ? calendar->heads[bucket] : NONE;
	}
}

// The earliest tick in the current bucket before end_ticks; components due then go to taken.
// SIM_NEVER: none. far_ticks becomes the earliest of all examined.
static int64_t earliest_here(struct sim_calendar *calendar, int64_t end_ticks)
{
	const struct sim_node *nodes = calendar->nodes;
	uint32_t *taken = calendar->taken;
	int64_t best = end_ticks - 1;
	uint32_t count = 0;
	bool all = true;

	for (uint32_t i = calendar->heads[calendar->place & calendar->mask]; i != NONE;
	     i = nodes[i].next) {
		const int64_t due_ticks = nodes[i].due_ticks;

		if (due_ticks == best) {
			taken[count++] = i;
		} else if (due_ticks < best) {
			all = all && count == 0;
			best = due_ticks;
			taken[0] = i;
			count = 1;
		} else {
			all = false;
			if (due_ticks < calendar->far_ticks)
				calendar->far_ticks = due_ticks;
		}
	}
	calendar->taken_count = count;
	calendar->found_all = all;
	calendar->found_ticks = count > 0 ? best : SIM_NEVER;
	return calendar->found_ticks;
}

// One past the last tick of the current bucket.
static int64_t bucket_end(const struct sim_calendar *calendar)
{
	return (int64_t)((uint64_t)(calendar->place + 1) << calendar->shift);
}

// Visits each bucket once; if everything due is in later rounds, the earliest was seen on the way.
static __attribute__((noinline)) int64_t calendar_search(struct sim_calendar *calendar)
{
	const int64_t last = calendar->place + calendar->mask;

	calendar->found_ticks = calendar->far_ticks = SIM_NEVER;
	if (calendar->pending == 0)
		return SIM_NEVER;
	for (;; calendar->place++) {
		const uint32_t bucket = (uint32_t)calendar->place & calendar->mask;
		int64_t best;

		calendar->place += (next_bucket(calendar, bucket) - bucket) & calendar->mask;
		if (calendar->place > last)
			break;
		best = earliest_here(calendar, bucket_end(calendar));
		if (best != SIM_NEVER)
			return best;
	}
	calendar->place = calendar->far_ticks >> calendar->shift;
	return earliest_here(calendar, calendar->far_ticks + 1);
}

// Most often the next component is alone in a bucket near the current one.
int64_t sim_calendar_next(struct sim_calendar *calendar)
{
	const uint32_t bucket = (uint32_t)calendar->place & calendar->mask;
	const uint64_t rest = calendar->bits[bucket / WORD_BITS] >> bucket % WORD_BITS;
	const struct sim_node *node;

	if (rest == 0)
		return calendar_search(calendar);
	calendar->place += __builtin_ctzll(rest);
	calendar->taken[0] = calendar->heads[calendar->place & calendar->mask];
	node = &calendar->nodes[calendar->taken[0]];
	if (node->next != NONE || node->due_ticks >= bucket_end(calendar))
		return calendar_search(calendar);
	calendar->taken_count = 1;
	calendar->found_all = true;
	return calendar->found_ticks = node->due_ticks;
}

static __attribute__((noinline)) void take_some(struct sim_calendar *calendar)
{
	for (uint32_t i = 0; i < calendar->taken_count; i++)
		calendar_take_out(calendar, calendar->taken[i]);
}

void sim_calendar_take(struct sim_calendar *calendar, int64_t ticks)
{
	calendar->now_ticks = ticks;
	calendar->place = ticks >> calendar->shift;
	if (calendar->found_ticks != ticks) {
		calendar->taken_count = 0;
		return;
	}
	if (calendar->found_all) {
		calendar->pending -= calendar->taken_count;
		empty(calendar, calendar_bucket_of(calendar, ticks));
	} else {
		take_some(calendar);
	}
	for (uint32_t i = 0; i < calendar->taken_count; i++)
		calendar->nodes[calendar->taken[i]].previous = TAKEN;
}

void sim_calendar_gather(struct sim_calendar *calendar, const struct sim_calendar *other)
{
	for (uint32_t bucket = 0; bucket <= other->mask; bucket++)
		for (uint32_t i = other->heads[bucket], next; i != NONE; i = next) {
			const int64_t ticks = other->nodes[i].due_ticks;

			next = other->nodes[i].next;
			calendar->nodes[i].due_ticks = SIM_NEVER;
			sim_calendar_put(calendar, i, ticks);
		}
	if (other->now_ticks > calendar->now_ticks)
		calendar->now_ticks = other->now_ticks;
}
