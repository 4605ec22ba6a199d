// SPDX-License-Identifier: GPL-3.0-or-later
// How well the mean of correlated samples is known, and where their steady part begins.
#ifndef STAT_BATCHES_H
#define STAT_BATCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "stat/interval.h"

// ---- An interval for the mean of correlated samples by batch means (Law, Simulation Modeling and
// Analysis, chapter 9): the samples, in order, are cut into 32 to 63 batches of equal size, whose means
// are taken as independent. If neighbours correlate by more than chance they are joined, as long as 8
// are left. Holds 64 sums; the batch size doubles when these are full.

#define BATCHES_MAX 64u
#define BATCHES_LEAST 8u

// Zero is a valid empty one. The unit must be so small that rounding a mean to it does not matter.
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
// the samples are too few for their correlation, and the interval is too narrow. False below eight
// batches or if all are equal.
bool batches_correlate(const struct batches *batches);

// ---- Where the steady part of a series begins, and how well its mean is known. The samples are cut into
// batches of 5, 10, 20, ...: 512 to 1023 of them from the 2560th sample on. The rule is MSER-5 (White,
// Cobb, Spratt: A comparison of five steady-state truncation heuristics for simulation, WSC 2000): of all
// starting points, the one that minimises the squared standard error of the mean of the rest.

#define STEADY_BATCHES 1024u
#define STEADY_FIRST_WIDTH 5u

// Zero is a valid empty one. 16 KiB.
struct steady {
	__int128 sums[STEADY_BATCHES];
	uint32_t count;	   // whole batches
	uint64_t width;	   // samples in each; 0 before the first
	__int128 open_sum; // of the batch that is being filled
	uint64_t open;	   // samples in it
	uint64_t n;
};

void steady_add(struct steady *steady, int64_t value);

// How many samples to truncate by the rule; whole batches, at most half of them. *settled: whether the
// minimum lies there; else the series is too short for its transient. 0 and not settled below 20 batches.
uint64_t steady_begin(const struct steady *steady, bool *settled);

// The mean of the samples after the first skip of them (rounded up to a batch), with Student's interval
// at level from batch means as above.
struct steady_mean {
	double mean;		  // NaN for no whole batch
	struct interval interval; // NaN bounds below two batches
	bool correlated;	  // the interval is too narrow
	uint64_t n;		  // samples in whole batches
};
struct steady_mean steady_mean(const struct steady *steady, uint64_t skip, double level);

// The same for a ratio of sums, such as bytes over durations: over and under have the same number of
// samples, under's sum is above 0. The interval is that of the residuals over - ratio x under (Cochran:
// Sampling Techniques, chapter 6); over's unit must be so small that rounding to it does not matter.
struct steady_mean steady_ratio(const struct steady *over, const struct steady *under, uint64_t skip, double level);

#endif
