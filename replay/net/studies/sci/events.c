// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/sci/events.h"

void sci_events_layout(struct sci_events *events, struct sim_arena *arena, uint32_t capacity)
{
	*events = (struct sci_events){.capacity = capacity};
	events->heap = sim_arena_take(arena, capacity, sizeof(*events->heap));
}

bool sci_events_push(struct sci_events *events, struct sci_event event)
{
	struct sci_event *heap = events->heap;
	uint32_t place;

	if (events->count == events->capacity)
		return false;
	for (place = events->count++; place > 0 && event.ticks < heap[(place - 1) / 2].ticks; place = (place - 1) / 2)
		heap[place] = heap[(place - 1) / 2];
	heap[place] = event;
	return true;
}

struct sci_event sci_events_pop(struct sci_events *events)
{
	struct sci_event *heap = events->heap;
	const struct sci_event first = heap[0], last = heap[--events->count];
	uint32_t place = 0, child;

	while ((child = 2 * place + 1) < events->count) {
		if (child + 1 < events->count && heap[child + 1].ticks < heap[child].ticks)
			child++;
		if (heap[child].ticks >= last.ticks)
			break;
		heap[place] = heap[child];
		place = child;
	}
	heap[place] = last;
	return first;
}
