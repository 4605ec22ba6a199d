// SPDX-License-Identifier: GPL-3.0-or-later
// What the estimators from means of blocks share: which block lengths, and the plot.
#ifndef STAT_BLOCK_MEANS_H
#define STAT_BLOCK_MEANS_H

#include "stat/estimator.h"

// A measure of how the means of blocks of m points spread, of a profile that holds that many blocks.
typedef double block_spread(const double *sums, size_t blocks, size_t m);

// Variance (divisor: the number of blocks, as Taqqu, Teverovsky and Willinger have it).
block_spread block_variance;

// Mean absolute deviation from the mean of the series.
block_spread block_deviation;

// Shortest and longest block of n points: 10 and n / 128; below 16,384 points 10 and 128, and below
// 2,048 n / 205 and n / 16, where options choose no others.
void block_means_range(const struct estimate_options *options, size_t n, double *min, double *max);

// Fills out's points: log10 of the spread over log10 m for 50 block lengths of that range, evenly spaced
// in log m, where options choose no others. A point is to be fitted where it has 10 blocks and spreads at all.
// Needs the profile.
void block_means_points(const struct series_parts *series, const struct estimate_options *options, block_spread *spread,
			struct estimate *out);

#endif
