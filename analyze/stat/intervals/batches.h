// SPDX-License-Identifier: GPL-3.0-or-later
// How well the mean of correlated samples is known, and where their steady part begins.
#ifndef STAT_BATCHES_H
#define STAT_BATCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "stat/intervals/mean_error.h"

// How well a mean is known.
struct known_mean {
	double mean; // NaN for no sample
	struct mean_error error;
	struct interval interval; // kept above 0; NaN bounds where the error is not known
	uint64_t n;		  // samples
};

// ---- Samples in order, cut into 256 to 511 batches of equal size, whose means say how well the
// mean of all is known (stat/intervals/mean_error.h). The batch size doubles when the sums are
// full.

#define BATCHES_MAX 512u

// Zero is a valid empty one. 8 KiB.
struct batches {
	__int128 sums[BATCHES_MAX];
	uint32_t count;	   // whole batches
	uint64_t width;	   // samples in each, a power of two; 0 before the first
	__int128 open_sum; // of the batch that is being filled
	uint64_t open;	   // samples in it
	uint64_t n;
	__int128 sum;
};

// Adds the next sample.
void batches_add(struct batches *batches, int64_t value);

// Adds a value times times (may be 0).
void batches_add_repeated(struct batches *batches, int64_t value, uint64_t times);

// Adds a series of count samples times times (may be 0), in the time of a few batches. sums: of the
// first i of them, for i from 0 to count.
void batches_add_series(struct batches *batches, const __int128 *sums, uint64_t count,
			uint64_t times);

// Mean of all samples; NaN for none.
double batches_mean(const struct batches *batches);

// The mean of all samples, none below 0, with an interval at level from the whole batches.
struct known_mean batches_known(const struct batches *batches, double level);

// ---- Where the steady part of a series begins, and how well its mean is known. The samples are
// cut into batches of 5, 10, 20, ...: 512 to 1023 of them from the 2560th sample on. The rule is
// MSER-5 (White, Cobb, Spratt: A comparison of five steady-state truncation heuristics for
// simulation, WSC 2000): of all starting points, the one that minimises the squared standard error
// of the mean of the rest.

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

// Adds the next sample.
void steady_add(struct steady *steady, int64_t value);

// How many samples to truncate by the rule; whole batches, at most half of them. *settled: whether
// the minimum lies there; else the series is too short for its transient. 0 and not settled below
// 20 batches.
uint64_t steady_begin(const struct steady *steady, bool *settled);

// The mean of the samples after the first skip of them (rounded up to a batch) in whole batches,
// with an interval at level.
struct known_mean steady_mean(const struct steady *steady, uint64_t skip, double level);

// The same for a ratio of sums, such as bytes over durations: over and under have the same number
// of samples, under's sum is above 0. The interval is that of the residuals over - ratio x under
// (Cochran: Sampling Techniques, chapter 6).
struct known_mean steady_ratio(const struct steady *over, const struct steady *under, uint64_t skip,
			       double level);

#endif
