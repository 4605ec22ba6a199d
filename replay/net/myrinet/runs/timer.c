// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/timer.h"

static bool before(struct run_moment a, struct run_moment b)
{
	return a.ticks != b.ticks ? a.ticks < b.ticks : a.key < b.key;
}

static void push(struct sim_events *events, struct run_moment *slot, struct run_moment at,
		 uint32_t aux)
{
	*slot = at;
	sim_events_push(events, at.ticks, at.key, aux);
}

void run_timer_set(struct sim_events *events, struct run_timer *timer, struct run_moment due,
		   int64_t near_ticks, uint32_t aux)
{
	int64_t horizon = events->now_ticks + near_ticks;

	timer->due = due;
	if (!before(due, timer->near) || !before(due, timer->far))
		return;
	if (due.ticks <= horizon)
		push(events, &timer->near, due, aux);
	else if (timer->far.ticks == RUN_NEVER)
		push(events, &timer->far, due, aux);
	else
		push(events, &timer->near, (struct run_moment){horizon, due.key}, aux);
}

static bool is(struct run_moment moment, const struct sim_event *event)
{
	return moment.ticks == event->time_ticks && moment.key == event->key;
}

bool run_timer_goes_off(struct sim_events *events, struct run_timer *timer, int64_t near_ticks,
			const struct sim_event *event)
{
	if (is(timer->near, event))
		timer->near.ticks = RUN_NEVER;
	else if (is(timer->far, event))
		timer->far.ticks = RUN_NEVER;
	else
		return false;
	if (timer->due.ticks == RUN_NEVER)
		return false;
	if (!is(timer->due, event)) {
		run_timer_set(events, timer, timer->due, near_ticks, event->aux);
		return false;
	}
	timer->due.ticks = RUN_NEVER;
	return true;
}
