// SPDX-License-Identifier: GPL-3.0-or-later
// One thing that a component waits for, whose time may still move. Where it moves back, the event
// that is in the set already stays there, and is pushed on when it comes; so a timer has one event
// in the set, and more only while its time was moved forward.
#ifndef NET_MYRINET_RUNS_TIMER_H
#define NET_MYRINET_RUNS_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/events.h"

#define RUN_NEVER INT64_MAX

struct run_timer {
	int64_t ticks; // RUN_NEVER: waits for nothing
	int64_t event_ticks; // of its first event in the set; RUN_NEVER: none
	uint32_t key;
	uint32_t event_key;
};

// Waits for nothing.
static inline void run_timer_clear(struct run_timer *timer)
{
	timer->ticks = RUN_NEVER;
}

// Goes off at ticks, with the key's place in that tick; aux names the timer.
void run_timer_set(struct sim_events *events, struct run_timer *timer, int64_t ticks, uint32_t key,
		   uint32_t aux);

// An event of the timer has come: whether it goes off now (it then waits for nothing).
bool run_timer_goes_off(struct sim_events *events, struct run_timer *timer,
			const struct sim_event *event);

#endif
