// SPDX-License-Identifier: GPL-3.0-or-later
// An interval for the mean of correlated samples by batch means (Law, Simulation Modeling and
// Analysis, chapter 9): the samples in their order are cut into 32 to 63 batches of equal size,
// whose means are taken as independent. Where neighbours correlate by more than chance they are
// joined, as long as 8 are left. Holds 64 sums; the batches double when they are full.
#ifndef STAT_BATCHES_H
#define STAT_BATCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "stat/interval.h"

#define BATCHES_MAX 64u
#define BATCHES_LEAST 8u

// Zero is a valid empty one. Values are in units so small that a mean may be rounded to one.
struct batches {
	__int128 sums[BATCHES_MAX];
	uint32_t count;	   // whole batches
	uint64_t width;	   // samples in each, a power of two; 0 before the first
	__int128 open_sum; // of the batch that is being filled
	uint64_t open;	   // samples in it
	uint64_t n;
	__int128 sum;
};

void batches_add(struct batches *batches, int64_t value);

// Adds a value times times (may be 0).
void batches_add_repeated(struct batches *batches, int64_t value, uint64_t times);

// Mean of all samples; NaN for none.
double batches_mean(const struct batches *batches);

// Moments of the batch means that are taken as independent.
struct moments batches_means(const struct batches *batches);

// Student's interval at level from the whole batches; NaN bounds below two.
struct interval batches_interval(const struct batches *batches, double level);

// Whether even joined batches correlate with their neighbours by more than chance (2/sqrt(number)):
// the samples are too few for how slowly they vary, and the interval is too narrow. False below
// eight batches or where all are equal.
bool batches_correlate(const struct batches *batches);

#endif
