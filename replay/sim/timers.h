// SPDX-License-Identifier: GPL-3.0-or-later
// Timers that mostly never run off: each may be set, put off or stopped at any time, and the
// earliest is known without a search through the others.
//
// A 4-ary heap of entries, each due no later than its timer. Putting a timer off, or stopping it,
// leaves its entry where it is; an entry that comes to the top before its timer is due moves down
// to the timer's time, or out. So a set leads to one move over the depth of the heap at most, and
// the usual ones, an acknowledgement's, lead to fewer. Linux treats TCP's timers alike
// (tcp_write_timer_handler, inet_csk_clear_xmit_timer).
#ifndef SIM_TIMERS_H
#define SIM_TIMERS_H

#include <stdint.h>

#include "sim/arena.h"

#define SIM_STOPPED INT64_MAX

struct sim_timer {
	int64_t due_ticks;   // SIM_STOPPED: it does not run
	int64_t entry_ticks; // of its entry, due_ticks or earlier; SIM_STOPPED: it has none
	uint32_t place;	     // of its entry
};

struct sim_timer_entry {
	int64_t ticks;
	uint32_t timer;
};

struct sim_timers {
	struct sim_timer *timers;
	struct sim_timer_entry *heap; // by ticks, then by the number of the timer
	uint32_t *taken;	      // those that ran off last
	uint32_t count;		      // entries
};

// Room for this number of timers, all stopped. A layout as in sim/arena.h.
void sim_timers_layout(struct sim_timers *timers, struct sim_arena *arena, uint32_t count);

// Sets a timer, anew if it runs; SIM_STOPPED: stops it.
void sim_timers_set(struct sim_timers *timers, uint32_t timer, int64_t ticks);

// When the first timer runs off, if no later than until_ticks; SIM_STOPPED: none does by then.
int64_t sim_timers_next(struct sim_timers *timers, int64_t until_ticks);

// Stops the timers that are due at the tick, the last result of sim_timers_next, and returns how
// many: they are in taken, in the order of their numbers.
uint32_t sim_timers_take(struct sim_timers *timers, int64_t ticks);

#endif
