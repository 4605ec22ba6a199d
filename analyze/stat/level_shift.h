// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the level of a series shifts, against what its memory, long or short, makes of the partial sums.
#ifndef STAT_LEVEL_SHIFT_H
#define STAT_LEVEL_SHIFT_H

#include <stddef.h>

#include "stat/memory_scale.h"

struct level_shift {
	size_t at;	      // points before the place where a shift is most likely
	double before, after; // mean of the points before it, and from it on
	double greatest;      // size of the greatest partial sum of what is above the mean
	double statistic;     // that over what the memory allows
	double p;	      // of one as large without a shift
};

// The greatest of |sum of the first k points, less k means|, over scale->deviation n^h. n >= 2.
struct level_shift level_shift_test(const double *x, size_t n, const struct memory_scale *scale);

// The p of a greatest partial sum of n points, and its average over the error of the scale's h.
double level_shift_p(double greatest, size_t n, const struct memory_scale *scale);
double level_shift_spread_p(double greatest, size_t n, const struct memory_scale *scale);

#endif
