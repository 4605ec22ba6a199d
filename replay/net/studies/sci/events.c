// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/sci/sci_run.h"

#include "value/heap.h"

void sci_events_layout(struct sci_events *events, struct sim_arena *arena, uint32_t capacity)
{
	*events = (struct sci_events){.capacity = capacity};
	events->heap = sim_arena_take(arena, capacity, sizeof(*events->heap));
}

static bool sci_event_before(const struct sci_event *a, const struct sci_event *b)
{
	return a->ticks < b->ticks;
}

HEAP(sci_event, struct sci_event, sci_event_before);

bool sci_events_push(struct sci_events *events, struct sci_event event)
{
	if (events->count == events->capacity)
		return false;
	sci_event_put(events->heap, events->count++, event);
	return true;
}

struct sci_event sci_events_pop(struct sci_events *events)
{
	return sci_event_take(events->heap, --events->count);
}
