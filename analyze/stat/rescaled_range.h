// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter by rescaled adjusted range (R/S).
#ifndef STAT_RESCALED_RANGE_H
#define STAT_RESCALED_RANGE_H

#include "stat/estimator.h"

// In a block of m points: the range of the sums of deviations from the block's mean, over the
// block's standard deviation (divisor m); its mean over the blocks grows as m^H. Blocks do not
// overlap; one in which all points are equal does not count. Own choice of scales: 25, evenly
// spaced in log m, from n / 256 (at least 8, at most 64) to n / 10.
extern const struct estimator rescaled_range;

// R/S of one block x[m], a point of the pox plot; NaN where all its points are equal.
double rescaled_range_ratio(const double *x, size_t m);

#endif
