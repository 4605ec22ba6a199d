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

void run_timer_push(struct sim_events *events, struct run_timer *timer, int64_t near_ticks,
		    uint32_t aux)
{
	struct run_moment due = timer->due;
	int64_t horizon = events->now_ticks + near_ticks;

	if (!before(due, timer->near) || !before(due, timer->far))
		return;
	if (due.ticks <= horizon)
		push(events, &timer->near, due, aux);
	else if (timer->far.ticks == RUN_NEVER)
		push(events, &timer->far, due, aux);
	else
		push(events, &timer->near, (struct run_moment){horizon, due.key}, aux);
}

void run_timer_goes_on(struct sim_events *events, struct run_timer *timer, int64_t near_ticks,
		       const struct sim_event *event)
{
	if (run_moment_is(timer->near, event))
		timer->near.ticks = RUN_NEVER;
	else if (run_moment_is(timer->far, event))
		timer->far.ticks = RUN_NEVER;
	else
		return;
	if (timer->due.ticks != RUN_NEVER)
		run_timer_set(events, timer, timer->due, near_ticks, event->aux);
}
