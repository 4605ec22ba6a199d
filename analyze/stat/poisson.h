// SPDX-License-Identifier: GPL-3.0-or-later
// Whether arrivals are Poisson, by the tests of Paxson and Floyd: in each of many intervals of time the
// gaps must look exponential, and a gap must not tell of the next.
#ifndef STAT_POISSON_H
#define STAT_POISSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/verdict.h"
#include "trace/status.h"

// An interval is tested where it has so many gaps.
#define POISSON_GAPS_MIN 30

// One interval of time, of gaps between arrivals that both lie in it.
struct poisson_interval {
	int64_t start_ticks;
	uint64_t gaps;
	uint64_t zeros;       // of them
	double mean_ticks;    // NaN for none
	double statistic;     // of Anderson and Darling; NaN where it was not tested
	double lag1;          // autocorrelation of neighbouring gaps; NaN as that, or where all are equal
	bool exponential;     // the statistic is below its value at 5 %
	bool independent;     // |lag1| is below 1.96 / sqrt(gaps)
};

// What all intervals say together.
struct poisson_verdict {
	uint64_t intervals;
	uint64_t tested;
	uint64_t exponential;   // intervals that passed
	uint64_t independent;
	uint64_t positive;      // with lag1 > 0
	uint64_t gaps, zeros;   // in tested intervals
	double p_exponential;   // chance that no more pass, if each does at 95 %; NaN where none was tested
	double p_independent;
	double p_sign;          // that the signs of lag1 are as uneven, if they were tossed
	bool poisson;           // none is below a third of 5 %
};

// Gathers arrivals. Memory: 24 bytes a gap of the fullest interval, and one struct an interval.
struct poisson {
	int64_t width_ticks;
	int64_t anchor_ticks;   // of an interval's start
	struct poisson_interval *intervals;
	size_t count, capacity;
	double *gaps;           // of the open interval
	double *sorted;         // room
	size_t gap_count, gap_capacity;
	int64_t last_ticks;
	bool open;
};

// Starts one whose intervals are width_ticks > 0 long, the first beginning with the first arrival.
void poisson_open(struct poisson *poisson, int64_t width_ticks);

// Adds an arrival, not before the last. TR_ERROR without memory.
enum tr_status poisson_add(struct poisson *poisson, int64_t time_ticks, struct tr_error *err);

// Tests the open interval too, though it may have been observed in part only, and gives the verdict.
struct poisson_verdict poisson_finish(struct poisson *poisson);

// What the verdict says, method by method: the share of intervals that look exponential, that look independent, and in
// which neighbouring gaps correlate positively; each is refused at a third of 5 %.
#define POISSON_METHODS 3
void poisson_judge(const struct poisson_verdict *verdict, struct method_result methods[POISSON_METHODS]);

// Yes, no, or unknown where no interval was tested, or fewer than half pass and that is too few to refuse: one that fails.
enum verdict poisson_answer(const struct poisson_verdict *verdict);

void poisson_close(struct poisson *poisson);

#endif
