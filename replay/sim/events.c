// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/events.h"

#include <assert.h>

#define NONE UINT32_MAX
#define WORDS (SIM_WHEEL_TICKS / 64)

void sim_events_layout(struct sim_events *events, struct sim_arena *arena, uint32_t capacity,
		       int64_t start_ticks)
{
	*events = (struct sim_events){
		.now_ticks = start_ticks, .free_cell = NONE, .capacity = capacity};
	events->last = sim_arena_take(arena, SIM_WHEEL_TICKS, sizeof(*events->last));
	events->marked = sim_arena_take(arena, WORDS, sizeof(*events->marked));
	events->cells = sim_arena_take(arena, capacity, sizeof(*events->cells));
	sim_heap_layout(&events->far, arena, capacity);
}

static uint32_t take_cell(struct sim_events *events, uint32_t key, uint32_t aux)
{
	uint32_t index = events->free_cell;

	if (index != NONE) {
		events->free_cell = events->cells[index].next;
	} else if (events->fresh_cell < events->capacity) {
		index = events->fresh_cell++;
	} else {
		events->exhausted = true;
		return NONE;
	}
	events->cells[index] = (struct sim_cell){NONE, key, aux, 0};
	events->pending++;
	return index;
}

static void append(struct sim_events *events, struct sim_phase_list *list, uint32_t index)
{
	struct sim_cell *cells = events->cells;

	list->sorted = list->sorted && cells[list->last].key <= cells[index].key;
	cells[list->last].next = index;
	list->last = index;
}

// Puts a cell into its phase of the present tick. Order within the phase is made when it is needed.
static void enter(struct sim_events *events, uint32_t index)
{
	unsigned phase = SIM_KEY_PHASE(events->cells[index].key);
	struct sim_phase_list *list = &events->phases[phase];

	events->cells[index].next = NONE;
	if (events->open >> phase & 1) {
		append(events, list, index);
	} else {
		*list = (struct sim_phase_list){index, index, true};
		events->open |= 1u << phase;
	}
}

static void enter_slot(struct sim_events *events, uint32_t slot, uint32_t index)
{
	struct sim_cell *cells = events->cells;
	uint64_t bit = (uint64_t)1 << (slot % 64);

	if (events->marked[slot / 64] & bit) {
		cells[index].next = cells[events->last[slot]].next;
		cells[events->last[slot]].next = index;
	} else {
		cells[index].next = index;
		events->marked[slot / 64] |= bit;
		events->summary[slot / 4096] |= (uint64_t)1 << (slot / 64 % 64);
	}
	events->last[slot] = index;
}

void sim_events_push(struct sim_events *events, int64_t time_ticks, uint32_t key, uint32_t aux)
{
	int64_t ahead = time_ticks - events->now_ticks;
	uint32_t index;

	assert(ahead >= 0);
	if (ahead >= SIM_WHEEL_TICKS) {
		if (!sim_heap_push(&events->far, time_ticks, key, aux))
			events->exhausted = true;
		else
			events->pending++;
		return;
	}
	index = take_cell(events, key, aux);
	if (index == NONE)
		return;
	if (ahead == 0)
		enter(events, index);
	else
		enter_slot(events, (uint32_t)time_ticks % SIM_WHEEL_TICKS, index);
}

// First marked slot at or after start, going round; NONE where there is none.
static uint32_t next_slot(const struct sim_events *events, uint32_t start)
{
	uint32_t word = start / 64;
	uint64_t bits = events->marked[word] & ~(uint64_t)0 << (start % 64);
	uint32_t tries = 0;

	if (bits != 0)
		return word * 64 + (uint32_t)__builtin_ctzll(bits);
	word = (word + 1) % WORDS;
	bits = events->summary[word / 64] & ~(uint64_t)0 << (word % 64);
	for (word /= 64; bits == 0 && tries <= WORDS / 64; tries++) {
		word = (word + 1) % (WORDS / 64);
		bits = events->summary[word];
	}
	if (bits == 0)
		return NONE;
	word = word * 64 + (uint32_t)__builtin_ctzll(bits);
	return word * 64 + (uint32_t)__builtin_ctzll(events->marked[word]);
}

// Far events of the present tick were pushed before any near one of it, so they enter first.
static void enter_far(struct sim_events *events)
{
	struct sim_far item;

	while (events->far.count > 0 && events->far.items[0].time_ticks == events->now_ticks) {
		uint32_t index;

		sim_heap_pop(&events->far, &item);
		events->pending--;
		index = take_cell(events, item.key, item.aux);
		if (index != NONE)
			enter(events, index);
	}
}

static void unmark(struct sim_events *events, uint32_t slot)
{
	events->marked[slot / 64] &= ~((uint64_t)1 << (slot % 64));
	if (events->marked[slot / 64] == 0)
		events->summary[slot / 4096] &= ~((uint64_t)1 << (slot / 64 % 64));
}

static void enter_near(struct sim_events *events, uint32_t slot)
{
	uint32_t last = events->last[slot];
	uint32_t index = events->cells[last].next;
	uint32_t next;

	do {
		next = events->cells[index].next;
		enter(events, index);
	} while (index != last && (index = next, true));
}

// Moves the clock to the next tick that has events. Where that is one event, it is *alone and in no
// list any more; else *alone is NONE.
static bool advance(struct sim_events *events, uint32_t *alone)
{
	uint32_t start = (uint32_t)(events->now_ticks + 1) % SIM_WHEEL_TICKS;
	uint32_t slot = next_slot(events, start);
	int64_t near = INT64_MAX;
	int64_t far = INT64_MAX;

	if (slot != NONE)
		near = events->now_ticks + 1 + (slot - start) % SIM_WHEEL_TICKS;
	if (events->far.count > 0)
		far = events->far.items[0].time_ticks;
	if (near == INT64_MAX && far == INT64_MAX)
		return false;
	events->now_ticks = near < far ? near : far;
	*alone = NONE;
	if (near <= far)
		unmark(events, slot);
	if (near < far && events->cells[events->last[slot]].next == events->last[slot]) {
		*alone = events->last[slot];
		return true;
	}
	enter_far(events);
	if (near <= far)
		enter_near(events, slot);
	return true;
}

static uint32_t merge(struct sim_cell *cells, uint32_t a, uint32_t b)
{
	uint32_t first = NONE;
	uint32_t *end = &first;

	while (a != NONE && b != NONE) {
		uint32_t *from = cells[b].key < cells[a].key ? &b : &a;

		*end = *from;
		end = &cells[*from].next;
		*from = *end;
	}
	*end = a != NONE ? a : b;
	return first;
}

// Stable merge sort of count cells from *rest on, which is moved behind them.
static uint32_t sort(struct sim_cell *cells, uint32_t *rest, uint32_t count)
{
	uint32_t first = *rest;
	uint32_t left;

	if (count == 1) {
		*rest = cells[first].next;
		cells[first].next = NONE;
		return first;
	}
	left = sort(cells, rest, count / 2);
	return merge(cells, left, sort(cells, rest, count - count / 2));
}

static void sort_phase(struct sim_events *events, struct sim_phase_list *list)
{
	uint32_t count = 0;
	uint32_t index;
	uint32_t rest = list->first;

	for (index = list->first; index != NONE; index = events->cells[index].next)
		count++;
	list->first = sort(events->cells, &rest, count);
	for (index = list->first; index != NONE; index = events->cells[index].next)
		list->last = index;
	list->sorted = true;
}

// Removes the first event of the present tick's first phase.
static uint32_t first_open(struct sim_events *events)
{
	unsigned phase = (unsigned)__builtin_ctz(events->open);
	struct sim_phase_list *list = &events->phases[phase];
	uint32_t index;

	if (!list->sorted)
		sort_phase(events, list);
	index = list->first;
	list->first = events->cells[index].next;
	if (list->first == NONE)
		events->open &= ~(1u << phase);
	return index;
}

bool sim_events_pop(struct sim_events *events, struct sim_event *out)
{
	uint32_t index = NONE;

	if (events->open == 0 && !advance(events, &index))
		return false;
	if (index == NONE)
		index = first_open(events);
	*out = (struct sim_event){
		events->now_ticks, events->cells[index].key, events->cells[index].aux};
	events->cells[index].next = events->free_cell;
	events->free_cell = index;
	events->pending--;
	return true;
}
