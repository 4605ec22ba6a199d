// SPDX-License-Identifier: GPL-3.0-or-later
// How far two distributions are apart.
#ifndef REPORT_DISTANCE_H
#define REPORT_DISTANCE_H

#include "stat/quantile.h"

struct distance {
	double ks;  // Kolmogorov-Smirnov: largest difference of the shares up to a value, 0 .. 1
	double emd; // earth mover's: the area between the shares, in the values' common unit (Vallender 1974)
};

// Of two histograms whose values are times their unit; from the middles of the buckets, so values that differ by less than 0.8 %
// may count as equal or not. NaN where one is empty.
struct distance distance_between(const struct quantile *a, double a_unit, const struct quantile *b, double b_unit);

#endif
