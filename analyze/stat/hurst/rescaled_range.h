// SPDX-License-Identifier: GPL-3.0-or-later
// Rescaled adjusted range (R/S) of one block, for the pox plot of Mandelbrot and Wallis, Robustness
// of the rescaled range R/S, Water Resources Research 5 (1969); estimators.h has the estimator.
#ifndef STAT_RESCALED_RANGE_H
#define STAT_RESCALED_RANGE_H

#include <stddef.h>
#include <stdint.h>

// R/S of one block x[m], a point of the pox plot; NaN if all its points are equal.
double rescaled_range_ratio(const double *x, size_t m);

// The range of sums[i] - sums[0] - i slope over 0 <= i <= m. All must be finite.
double sloped_range(const double *sums, int32_t m, double slope);

#endif
