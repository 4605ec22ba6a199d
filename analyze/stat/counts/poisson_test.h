// SPDX-License-Identifier: GPL-3.0-or-later
// Whether arrivals are Poisson.
#ifndef STAT_POISSON_TEST_H
#define STAT_POISSON_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/intervals/verdict.h"
#include "value/random.h"
#include "value/status.h"

// ---- Anderson and Darling's test for an exponential law with unknown mean (Stephens 1974).

// The statistic A^2 (1 + 0.6 / n) of n values in rising order, none below 0; infinite if one is 0
// and another is not, NaN if all are 0 or n is 0.
double anderson_darling_exponential(const double *rising, size_t n);

// Probability of a statistic as large from exponential values; NaN for NaN.
double anderson_darling_exponential_p(double statistic);

// ---- Whether arrivals are Poisson (Paxson and Floyd 1995): in each of many intervals of time the
// gaps must look exponential and independent. Times are known to a tick of the clock.

// An interval is tested if it has at least this many gaps, and on average at most this many
// arrivals a clock tick.
#define POISSON_GAPS_MIN 30
#define POISSON_TICK_ARRIVALS_MAX 4

// One interval of time, with the gaps between arrivals in it.
struct poisson_interval {
	int64_t start_ticks;
	uint64_t gaps;
	double mean_ticks;    // NaN for none
	double statistic;     // of Anderson and Darling; NaN if not tested
	double p_exponential; // of a statistic as large; NaN likewise
	double lag1; // autocorrelation of exp(-gap / mean) at lag 1, corrected for its bias -1 /
		     // gaps; NaN likewise
	double p_independent; // of lag1 as far from 0, two-sided; NaN likewise
	bool coarse;	      // not tested: too many arrivals share a clock tick
};

// The result over all intervals.
struct poisson_verdict {
	uint64_t intervals;
	uint64_t tested;
	uint64_t coarse;      // intervals with enough gaps but too coarse a clock
	uint64_t exponential; // intervals whose p_exponential is 5 % or more
	uint64_t independent;
	uint64_t positive;    // with lag1 > 0
	uint64_t gaps;	      // in tested intervals
	uint64_t clock_ticks; // all stamps differ by multiples of it; 0 if all are equal
	double p_exponential; // probability that no more pass, if each does with 95 %; for one
			      // interval its own; NaN for none
	double p_independent;
	double p_sign; // of signs of lag1 as uneven, if both are equally likely
	double p;      // joint: three times the smallest, at most 1
};

// Gathers arrivals. Memory: 24 bytes an arrival of the fullest interval, and one struct an
// interval.
struct poisson {
	int64_t width_ticks;
	int64_t anchor_ticks; // the start of the first interval
	struct poisson_interval *intervals;
	size_t count, capacity;
	double *offsets;       // of the open interval's arrivals from its start
	double *gaps, *sorted; // room
	size_t arrival_count, arrival_capacity;
	uint64_t clock_ticks; // greatest common divisor of all times since the first
	struct tr_random random;
	bool open;
};

// Starts one whose intervals are width_ticks > 0 long, the first beginning with the first arrival.
// Each arrival is moved within its clock tick at random, from the stream "poisson/tick" of the
// seed; this keeps Poisson arrivals Poisson, as they are uniform within a tick given their number.
// The clock tick is the greatest common divisor of the times so far.
void poisson_open(struct poisson *poisson, int64_t width_ticks, uint64_t seed);

// Adds an arrival, not earlier than the last. TR_ERROR if out of memory.
enum tr_status poisson_add(struct poisson *poisson, int64_t time_ticks, struct tr_error *err);

// Tests the open interval too, even if observed only in part, and returns the verdict.
struct poisson_verdict poisson_finish(struct poisson *poisson);

// The verdict by method: the share of intervals that look exponential, that look independent, and
// in which neighbouring gaps correlate positively; each is rejected at a third of 5 %.
#define POISSON_METHODS 3
void poisson_decide(const struct poisson_verdict *verdict,
		    struct method_result methods[POISSON_METHODS]);

// No if p is below 5 %, else yes; unknown if no interval was tested.
enum verdict poisson_answer(const struct poisson_verdict *verdict);

// Frees what it holds; it is empty then.
void poisson_close(struct poisson *poisson);

#endif
