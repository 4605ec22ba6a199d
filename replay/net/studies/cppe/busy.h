// SPDX-License-Identifier: GPL-3.0-or-later
// When processors are busy: for each a list of intervals in order of time, which need not be
// entered in that order.
#ifndef NET_CPPE_BUSY_H
#define NET_CPPE_BUSY_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/arena.h"

// Intervals that touch are one. Numbers of intervals are from 1; 0: none.
struct cppe_busy {
	uint32_t *first; // by processor
	struct cppe_interval {
		int64_t from_ticks;
		int64_t to_ticks;
		uint32_t next;
	} * intervals;
	uint32_t spare; // list of those given back
	uint32_t used;	// of intervals, in all
	uint32_t room;
};

#define CPPE_BUSY_FULL INT64_MIN

// A layout as in sim/arena.h; room for this many intervals of all processors together.
void cppe_busy_layout(struct cppe_busy *busy, struct sim_arena *arena, uint32_t processors,
		      uint32_t room);

// Makes the processor busy for length_ticks (above 0), as early as it can be from ready_ticks on,
// and returns when that begins; CPPE_BUSY_FULL without room. Forgets what ended at or before
// now_ticks: ready_ticks must be no earlier, now or later.
int64_t cppe_busy_take(struct cppe_busy *busy, uint32_t processor, int64_t now_ticks,
		       int64_t ready_ticks, int64_t length_ticks);

#endif
