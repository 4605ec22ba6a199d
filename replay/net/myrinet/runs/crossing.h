// SPDX-License-Identifier: GPL-3.0-or-later
// When the occupancy of a buffer crosses a level, from the runs of what comes and what goes.
// Occupancy is tested after each arrival and after each take, arrivals first within a tick: after
// arrival n at tick t it is n + 1 less the takes before t; after take m at tick t it is the arrivals
// up to t less m + 1. Within the overlap of two runs it turns at most once, where
// the later of both begins, so the first crossing is found by one division.
#ifndef NET_MYRINET_RUNS_CROSSING_H
#define NET_MYRINET_RUNS_CROSSING_H

#include "net/myrinet/runs/list.h"

// Runs seen with other numbers and at other times: number + offset, start + shift.
struct run_view {
	const struct run *items;
	uint32_t count;
	uint32_t offset;
	uint32_t start; // the numbers seen, after the offset, are start .. end - 1
	uint32_t end;
	int64_t shift_ticks;
};

#define RUN_TAKES 2u

// What leaves a buffer: one view behind the other. taken: number of the first character that leaves
// in them (or would, where they are empty).
struct run_takes {
	struct run_view views[RUN_TAKES];
	uint32_t taken;
};

struct run_crossing {
	int64_t ticks;
	uint32_t index; // of the character that came or left
};

// The first arrival after after_ticks that leaves level or more characters in the buffer; false
// where none of those known does.
bool run_rise(const struct run_view *arrivals, const struct run_takes *takes, int64_t after_ticks,
	      uint32_t level, struct run_crossing *out);

// The first take at from_ticks or later that leaves level or less.
bool run_fall(const struct run_view *arrivals, const struct run_takes *takes, int64_t from_ticks,
	      uint32_t level, struct run_crossing *out);

// The largest occupancy after an arrival in from_ticks .. before_ticks - 1; 0 where nothing came.
uint32_t run_peak(const struct run_view *arrivals, const struct run_takes *takes,
		  int64_t from_ticks, int64_t before_ticks);

// The sum of the occupancy over the ticks from_ticks .. before_ticks - 1, modulo 2^64.
uint64_t run_area(const struct run_view *arrivals, const struct run_takes *takes,
		  int64_t from_ticks, int64_t before_ticks);

// Occupancy at the beginning of a tick, before anything comes or leaves in it.
uint32_t run_occupancy(const struct run_view *arrivals, const struct run_takes *takes,
		       int64_t ticks);

#endif
