// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/whole_messages.h"

#include <stdlib.h>
#include <string.h>

const struct event *whole_next(const struct event_rank *own, uint32_t *at)
{
	for (; *at < own->count; (*at)++)
		if (own->events[*at].kind == EVENT_MESSAGE)
			return &own->events[(*at)++];
	return NULL;
}

bool inbox_make(struct inbox *inbox, const struct events *events)
{
	uint64_t *next = calloc((size_t)events->ranks + 1, sizeof(*next));
	const struct event *event;

	inbox->first = calloc((size_t)events->ranks + 1, sizeof(*inbox->first));
	inbox->begin_ticks = INT64_MAX;
	if (inbox->first && next)
		for (uint32_t rank = 0; rank < events->ranks; rank++)
			for (uint32_t at = 0;
			     (event = whole_next(&events->by_rank[rank], &at)) != NULL;) {
				inbox->first[event->peer + 1]++;
				if (event->begin_ticks < inbox->begin_ticks)
					inbox->begin_ticks = event->begin_ticks;
			}
	for (uint32_t rank = 0; inbox->first && next && rank < events->ranks; rank++) {
		inbox->first[rank + 1] += inbox->first[rank];
		next[rank + 1] = inbox->first[rank + 1];
	}
	if (inbox->first && next)
		inbox->arrivals = calloc(inbox->first[events->ranks] + 1, sizeof(*inbox->arrivals));
	for (uint32_t rank = 0; inbox->arrivals && rank < events->ranks; rank++)
		for (uint32_t at = 0; (event = whole_next(&events->by_rank[rank], &at)) != NULL;)
			inbox->arrivals[next[event->peer]++] = (struct inbox_arrival){rank, at - 1};
	free(next);
	return inbox->arrivals;
}

void inbox_clear(struct inbox *inbox)
{
	free(inbox->arrivals);
	free(inbox->first);
	memset(inbox, 0, sizeof(*inbox));
}
