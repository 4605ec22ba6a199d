// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the level of a series shifts, against what its memory, long or short, makes of the partial sums.
#ifndef STAT_LEVEL_SHIFT_H
#define STAT_LEVEL_SHIFT_H

#include <stddef.h>

#include "stat/memory_scale.h"

struct level_shift {
	size_t at;             // points before the place where a shift is most likely
	double before, after;  // mean of the points before it, and from it on
	double statistic;      // greatest partial sum over what the memory allows
	double p;              // of one as large without a shift
};

// The greatest of |sum of the first k points, less k means|, over scale->deviation n^h. n >= 2.
struct level_shift level_shift_test(const double *x, size_t n, const struct memory_scale *scale);

#endif
