// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/timers.h"

#include <stdbool.h>

#define WAYS 4u
#define HEAP_BEGIN (WAYS - 1) // so that those below an entry are in one line of the cache

void sim_timers_layout(struct sim_timers *timers, struct sim_arena *arena, uint32_t count)
{
	struct sim_timer_entry *heap;

	*timers = (struct sim_timers){.count = 0};
	timers->timers = sim_arena_grow(arena, count, sizeof(*timers->timers));
	heap = sim_arena_grow(arena, (size_t)count + HEAP_BEGIN, sizeof(*timers->heap));
	timers->taken = sim_arena_take(arena, count, sizeof(*timers->taken));
	if (!timers->taken)
		return;
	timers->heap = heap + HEAP_BEGIN;
	for (uint32_t i = 0; i < count; i++)
		timers->timers[i] = (struct sim_timer){SIM_STOPPED, SIM_STOPPED, 0};
}

static bool timers_is_earlier(const struct sim_timer_entry *a, const struct sim_timer_entry *b)
{
	return a->ticks != b->ticks ? a->ticks < b->ticks : a->timer < b->timer;
}

static void timers_lay(struct sim_timers *timers, uint32_t place, struct sim_timer_entry entry)
{
	timers->heap[place] = entry;
	timers->timers[entry.timer].place = place;
}

// Lays the entry at the place or, where it is earlier than others, above it.
static void timers_rise(struct sim_timers *timers, uint32_t place, struct sim_timer_entry entry)
{
	for (; place > 0 && timers_is_earlier(&entry, &timers->heap[(place - 1) / WAYS]);
	     place = (place - 1) / WAYS)
		timers_lay(timers, place, timers->heap[(place - 1) / WAYS]);
	timers_lay(timers, place, entry);
}

static uint32_t timers_first_below(const struct sim_timers *timers, uint32_t place)
{
	const uint32_t child = WAYS * place + 1;
	uint32_t first = child;

	for (uint32_t i = child + 1; i < child + WAYS && i < timers->count; i++)
		if (timers_is_earlier(&timers->heap[i], &timers->heap[first]))
			first = i;
	return first;
}

// Lays the entry at the top or, where others are earlier, below it.
static void timers_sink(struct sim_timers *timers, struct sim_timer_entry entry)
{
	uint32_t place = 0;

	while (WAYS * place + 1 < timers->count) {
		const uint32_t child = timers_first_below(timers, place);

		if (!timers_is_earlier(&timers->heap[child], &entry))
			break;
		timers_lay(timers, place, timers->heap[child]);
		place = child;
	}
	timers_lay(timers, place, entry);
}

// Removes the top.
static void timers_pop(struct sim_timers *timers)
{
	timers->timers[timers->heap[0].timer].entry_ticks = SIM_STOPPED;
	if (--timers->count > 0)
		timers_sink(timers, timers->heap[timers->count]);
}

void sim_timers_set(struct sim_timers *timers, uint32_t number, int64_t ticks)
{
	struct sim_timer *timer = &timers->timers[number];
	const bool has_entry = timer->entry_ticks != SIM_STOPPED;

	timer->due_ticks = ticks;
	if (ticks >= timer->entry_ticks)
		return;
	timer->entry_ticks = ticks;
	timers_rise(timers, has_entry ? timer->place : timers->count++,
		    (struct sim_timer_entry){ticks, number});
}

int64_t sim_timers_next(struct sim_timers *timers, int64_t until_ticks)
{
	while (timers->count > 0 && timers->heap[0].ticks <= until_ticks) {
		const struct sim_timer_entry top = timers->heap[0];
		struct sim_timer *timer = &timers->timers[top.timer];

		if (timer->due_ticks == top.ticks)
			return top.ticks;
		if (timer->due_ticks == SIM_STOPPED) {
			timers_pop(timers);
			continue;
		}
		timer->entry_ticks = timer->due_ticks;
		timers_sink(timers, (struct sim_timer_entry){timer->due_ticks, top.timer});
	}
	return SIM_STOPPED;
}

uint32_t sim_timers_take(struct sim_timers *timers, int64_t ticks)
{
	uint32_t count = 0;

	while (sim_timers_next(timers, ticks) == ticks) {
		const uint32_t timer = timers->heap[0].timer;

		timers->timers[timer].due_ticks = SIM_STOPPED;
		timers_pop(timers);
		timers->taken[count++] = timer;
	}
	return count;
}
