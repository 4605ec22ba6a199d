// SPDX-License-Identifier: GPL-3.0-or-later
// Index of a tail by Hill's estimator, and whether it stays the same as more values are taken for the
// tail.
#ifndef STAT_HILL_H
#define STAT_HILL_H

#include "stat/tail.h"

// 1 / mean of log(X_i / threshold) over the k largest values; the error is index / sqrt(k).
struct tail_index hill(const struct tail *tail, double level);

// Fewest values of a group, and how many times as many the tail must have for a judgement.
#define HILL_GROUP_MIN 25
#define HILL_GROUPS_MAX 48
#define HILL_RANGE_MIN 8

// Whether the index is one number all over the tail.
struct hill_stability {
	size_t groups;	  // 25 largest, as many next, then each as many as all before
	double statistic; // likelihood ratio over Bartlett's correction; NaN where there is no judgement
	double p;	  // that chance alone makes it as large, where the tail is a power law; or NaN
	double first;	  // index in the 25 largest values
	double last;	  // index in the last group
};

// Groups the k largest values by rank. In a power law the logs of neighbouring values differ by independent
// exponential amounts of mean 1 / (index i), so that i times those have the same mean in every group; of a
// lognormal law they shrink with the rank. No judgement below 200 values, or where a group
// has none that differ.
struct hill_stability hill_stability(const struct tail *tail);

// One point of two plots: Hill's index of the k largest values over k, and the share k / n that is above value over value.
struct hill_point {
	size_t k;
	double value; // the largest that is none of the k
	struct tail_index index;
};

// Fills points[] for at most most values of k from 2 on, evenly spaced in their logarithm, of the values above 0 of
// rising[n]. Returns how many; 0 where fewer than 3 are above 0.
size_t hill_plot(const double *rising, size_t n, double level, struct hill_point *points, size_t most);

#endif
