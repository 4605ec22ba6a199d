// SPDX-License-Identifier: GPL-3.0-or-later
// One thing that a component waits for, whose time may still move. The event set cannot forget an
// event, so as few as possible are put in: where the time moves back, the event that is there comes
// early and is pushed on; where it moves forward, another is pushed. An event far ahead is never
// pushed beside another one: one that is near is, which then looks again. So there is at most one
// far event for a timer, and those that were left behind are near.
#ifndef NET_MYRINET_RUNS_TIMER_H
#define NET_MYRINET_RUNS_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/events.h"

#define RUN_NEVER INT64_MAX

// A place in the order of events.
struct run_moment {
	int64_t ticks; // RUN_NEVER: none
	uint32_t key;
};

struct run_timer {
	struct run_moment due;
	struct run_moment near; // of its first near event in the set
	struct run_moment far;  // and of its far one
};

// Waits for nothing.
static inline void run_timer_clear(struct run_timer *timer)
{
	timer->due.ticks = RUN_NEVER;
}

// Puts an event in for a timer whose due is not behind one that is there.
void run_timer_push(struct sim_events *events, struct run_timer *timer, int64_t near_ticks,
		    uint32_t aux);

// Goes off at due; aux names the timer. Near is what lies at most near_ticks ahead.
static inline void run_timer_set(struct sim_events *events, struct run_timer *timer,
				 struct run_moment due, int64_t near_ticks, uint32_t aux)
{
	timer->due = due;
	if (due.ticks <= timer->near.ticks && due.ticks <= timer->far.ticks)
		run_timer_push(events, timer, near_ticks, aux);
}

// An event of the timer has come, and not the one that is due: it is put in again where need be.
void run_timer_goes_on(struct sim_events *events, struct run_timer *timer, int64_t near_ticks,
		       const struct sim_event *event);

static inline bool run_moment_is(struct run_moment moment, const struct sim_event *event)
{
	return moment.ticks == event->time_ticks && moment.key == event->key;
}

// An event of the timer has come: whether it goes off now (it then waits for nothing).
static inline bool run_timer_goes_off(struct sim_events *events, struct run_timer *timer,
				      int64_t near_ticks, const struct sim_event *event)
{
	if (run_moment_is(timer->due, event) && run_moment_is(timer->near, event)) {
		timer->near.ticks = RUN_NEVER;
		timer->due.ticks = RUN_NEVER;
		return true;
	}
	if (run_moment_is(timer->due, event) && run_moment_is(timer->far, event)) {
		timer->far.ticks = RUN_NEVER;
		timer->due.ticks = RUN_NEVER;
		return true;
	}
	run_timer_goes_on(events, timer, near_ticks, event);
	return false;
}

#endif
