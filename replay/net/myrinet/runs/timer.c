// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/timer.h"

static void push(struct sim_events *events, struct run_timer *timer, uint32_t aux)
{
	timer->event_ticks = timer->ticks;
	timer->event_key = timer->key;
	sim_events_push(events, timer->ticks, timer->key, aux);
}

void run_timer_set(struct sim_events *events, struct run_timer *timer, int64_t ticks, uint32_t key,
		   uint32_t aux)
{
	timer->ticks = ticks;
	timer->key = key;
	if (timer->event_ticks > ticks || (timer->event_ticks == ticks && timer->event_key > key))
		push(events, timer, aux);
}

bool run_timer_goes_off(struct sim_events *events, struct run_timer *timer,
			const struct sim_event *event)
{
	if (event->time_ticks != timer->event_ticks || event->key != timer->event_key)
		return false;
	timer->event_ticks = RUN_NEVER;
	if (timer->ticks == RUN_NEVER)
		return false;
	if (timer->ticks == event->time_ticks && timer->key == event->key) {
		timer->ticks = RUN_NEVER;
		return true;
	}
	push(events, timer, event->aux);
	return false;
}
