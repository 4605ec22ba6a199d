// SPDX-License-Identifier: GPL-3.0-or-later
#include "ladder.h"

#include <string.h>

static const struct ladder_list nothing = {SIM_NONE, SIM_NONE, 0};

void ladder_layout(struct ladder *ladder, struct sim_arena *arena, uint32_t capacity)
{
	*ladder = (struct ladder){.free = SIM_NONE, .capacity = capacity, .top = nothing,
				  .top_start_ticks = INT64_MIN, .buckets_max = capacity + 1};
	ladder->cells = sim_arena_take(arena, capacity, sizeof(*ladder->cells));
	ladder->bottom = sim_arena_take(arena, capacity, sizeof(*ladder->bottom));
	ladder->scratch = sim_arena_take(arena, capacity, sizeof(*ladder->scratch));
	for (unsigned i = 0; i < LADDER_RUNGS; i++)
		ladder->rungs[i].buckets = sim_arena_take(arena, ladder->buckets_max,
							  sizeof(struct ladder_list));
}

static bool before(const struct sim_event *a, const struct sim_event *b)
{
	return a->time_ticks != b->time_ticks ? a->time_ticks < b->time_ticks : a->key < b->key;
}

static void append(struct ladder *ladder, struct ladder_list *list, uint32_t cell)
{
	ladder->cells[cell].next = SIM_NONE;
	if (list->count++ == 0)
		list->first = cell;
	else
		ladder->cells[list->last].next = cell;
	list->last = cell;
}

// The rung's bucket for a time; NULL where its place on this rung has passed.
static struct ladder_list *bucket_for(struct ladder_rung *rung, int64_t time_ticks)
{
	int64_t index = (time_ticks - rung->start_ticks) / rung->width_ticks;

	return time_ticks >= rung->start_ticks && index >= rung->present ? &rung->buckets[index] :
									   NULL;
}

// Equal events stay behind those that are there.
static void insert_bottom(struct ladder *ladder, const struct sim_event *event)
{
	uint32_t hole = ladder->bottom_count++;

	while (hole > 0 && !before(event, &ladder->bottom[hole - 1]))
		hole--;
	memmove(ladder->bottom + hole + 1, ladder->bottom + hole,
		(ladder->bottom_count - 1 - hole) * sizeof(*event));
	ladder->bottom[hole] = *event;
}

static struct ladder_list *list_for(struct ladder *ladder, int64_t time_ticks)
{
	struct ladder_list *list = NULL;

	if (time_ticks >= ladder->top_start_ticks) {
		if (ladder->top.count == 0 || time_ticks < ladder->top_least_ticks)
			ladder->top_least_ticks = time_ticks;
		if (ladder->top.count == 0 || time_ticks > ladder->top_most_ticks)
			ladder->top_most_ticks = time_ticks;
		return &ladder->top;
	}
	for (uint32_t i = 0; i < ladder->rung_count && list == NULL; i++)
		list = bucket_for(&ladder->rungs[i], time_ticks);
	return list;
}

void ladder_push(struct ladder *ladder, int64_t time_ticks, uint32_t key, uint32_t aux)
{
	const struct sim_event event = {time_ticks, key, aux};
	struct ladder_list *list = list_for(ladder, time_ticks);
	uint32_t cell = ladder->free;

	if (list == NULL) {
		insert_bottom(ladder, &event);
		return;
	}
	if (cell == SIM_NONE)
		cell = ladder->fresh++;
	else
		ladder->free = ladder->cells[cell].next;
	ladder->cells[cell].event = event;
	append(ladder, list, cell);
}

// A new lowest rung for a list whose events lie in start .. start + span - 1.
static void spread(struct ladder *ladder, struct ladder_list list, int64_t start_ticks,
		   int64_t span_ticks)
{
	struct ladder_rung *rung = &ladder->rungs[ladder->rung_count++];
	int64_t width = (span_ticks + list.count - 1) / list.count;

	rung->start_ticks = start_ticks;
	rung->width_ticks = width > 0 ? width : 1;
	rung->bucket_count = (uint32_t)((span_ticks - 1) / rung->width_ticks) + 1;
	rung->present = 0;
	for (uint32_t i = 0; i < rung->bucket_count; i++)
		rung->buckets[i] = nothing;
	for (uint32_t cell = list.first, next; cell != SIM_NONE; cell = next) {
		next = ladder->cells[cell].next;
		append(ladder, bucket_for(rung, ladder->cells[cell].event.time_ticks), cell);
	}
}

static void sort(struct sim_event *items, struct sim_event *scratch, uint32_t count)
{
	uint32_t half = count / 2, a = 0, b = half;

	if (count < 2)
		return;
	sort(items, scratch, half);
	sort(items + half, scratch, count - half);
	for (uint32_t i = 0; i < count; i++)
		scratch[i] = b == count || (a < half && !before(&items[b], &items[a])) ?
			     items[a++] : items[b++];
	memcpy(items, scratch, count * sizeof(*items));
}

static void to_bottom(struct ladder *ladder, struct ladder_list list)
{
	struct sim_event *bottom = ladder->bottom;
	uint32_t count = 0;

	for (uint32_t cell = list.first, next; cell != SIM_NONE; cell = next) {
		next = ladder->cells[cell].next;
		bottom[count++] = ladder->cells[cell].event;
		ladder->cells[cell].next = ladder->free;
		ladder->free = cell;
	}
	sort(bottom, ladder->scratch, count);
	ladder->bottom_count = count;
	for (uint32_t i = 0; i < count / 2; i++) {
		struct sim_event swap = bottom[i];

		bottom[i] = bottom[count - 1 - i];
		bottom[count - 1 - i] = swap;
	}
}

// Takes the next bucket of the lowest rung down, or the top. False where nothing is left.
static bool refill(struct ladder *ladder)
{
	while (ladder->rung_count > 0) {
		struct ladder_rung *rung = &ladder->rungs[ladder->rung_count - 1];
		struct ladder_list list;

		while (rung->present < rung->bucket_count && rung->buckets[rung->present].count == 0)
			rung->present++;
		if (rung->present == rung->bucket_count) {
			ladder->rung_count--;
			continue;
		}
		list = rung->buckets[rung->present++];
		if (list.count <= LADDER_THRESHOLD || rung->width_ticks == 1 ||
		    ladder->rung_count == LADDER_RUNGS) {
			to_bottom(ladder, list);
			return true;
		}
		spread(ladder, list, rung->start_ticks + (rung->present - 1) * rung->width_ticks,
		       rung->width_ticks);
	}
	if (ladder->top.count == 0)
		return false;
	spread(ladder, ladder->top, ladder->top_least_ticks,
	       ladder->top_most_ticks - ladder->top_least_ticks + 1);
	ladder->top_start_ticks = ladder->top_most_ticks + 1;
	ladder->top = nothing;
	return refill(ladder);
}

bool ladder_pop(struct ladder *ladder, struct sim_event *out)
{
	if (ladder->bottom_count == 0 && !refill(ladder))
		return false;
	*out = ladder->bottom[--ladder->bottom_count];
	return true;
}
