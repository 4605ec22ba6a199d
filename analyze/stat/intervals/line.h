// SPDX-License-Identifier: GPL-3.0-or-later
// Straight line by least squares: slope = sum (x - mean x)(y - mean y) / sum (x - mean x)^2.
#ifndef STAT_LINE_H
#define STAT_LINE_H

#include <stddef.h>

struct line {
	double slope;
	double intercept;
	double slope_se; // for independent errors of equal size; NaN below three points
};

// Fits y = intercept + slope x to n points. All NaN if n < 2 or all x are equal.
struct line line_fit(const double *x, const double *y, size_t n);

#endif
