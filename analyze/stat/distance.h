// SPDX-License-Identifier: GPL-3.0-or-later
// How far two distributions are apart.
#ifndef STAT_DISTANCE_H
#define STAT_DISTANCE_H

#include "stat/quantile.h"

struct distance {
	double ks; // Kolmogorov-Smirnov: largest difference of the shares up to a value, 0 .. 1
	double ad; // Anderson-Darling: squared differences of the shares, weighted where both are near 0 or 1; grows with the samples
	double emd; // earth mover's: the area between the shares, in the values' unit (Vallender 1974)
};

// Two distributions that are given value by value.
struct distance_walk {
	double n, m; // values of each
	double x;    // the last one given
	double below_a, below_b;
	struct distance sum;
};

// Starts with n and m values to come, both above 0.
struct distance_walk distance_walk_start(double n, double m);

// Tells a value, above those before, and how often it is in each.
void distance_walk_add(struct distance_walk *walk, double x, double a, double b);

// Of two histograms whose values are times their unit; from the middles of the buckets, so values that differ by less than 0.8 %
// may count as equal or not. NaN where one is empty.
struct distance distance_between(const struct quantile *a, double a_unit, const struct quantile *b, double b_unit);

#endif
