// SPDX-License-Identifier: GPL-3.0-or-later
// Whether and where the level of a series changes, against what its memory makes of the partial sums.
#ifndef STAT_LEVEL_SHIFT_H
#define STAT_LEVEL_SHIFT_H

#include <stddef.h>

#include "stat/memory_scale.h"

// ---- Whether the level shifts once (Horvath and Kokoszka 1997).

struct level_shift {
	size_t at;	      // points before the place where a shift is most likely
	double before, after; // mean of the points before it, and from it on
	double greatest;      // size of the greatest partial sum of the deviations from the mean
	double statistic;     // that over what the memory allows
	double p;	      // of one as large without a shift
};

// The greatest of |sum of the first k points, less k means|, over scale->deviation n^h. n >= 2.
struct level_shift level_shift_test(const double *x, size_t n, const struct memory_scale *scale);

// The p of a greatest partial sum of n points, averaged over the error of the scale's h.
double level_shift_spread_p(double greatest, size_t n, const struct memory_scale *scale);

// ---- Where the level changes, as often as it does (Kovacs, Buehlmann, Li and Munk 2023; Baranowski, Chen and Fryzlewicz 2019).

#define CHANGE_POINTS_MAX 31

struct change_point {
	size_t at;	      // points before it
	double before, after; // means from the change before to this one, and on to the next
	double p;	      // of a shift as large between its neighbours, without one
};

struct change_points {
	size_t count;
	struct change_point points[CHANGE_POINTS_MAX]; // in rising order
	double p; // joint, of the least likely interval, where nothing changes; NaN below CHANGE_POINTS_MIN points
};

#define CHANGE_POINTS_MIN 256

// Tests the level of y[n] (short memory filtered) in overlapping intervals from all points to a 32nd of them, 64 points at
// least, each by the p of its greatest partial sum; the narrowest that shows a shift at its share of 5 % gives one change, and the points to
// both sides are searched again. Where nothing changes, there is a change in 5 of 100 series at most, as far as the scale
// holds. means are those of x[n].
void change_points_find(const double *x, const double *y, size_t n, const struct memory_scale *scale,
			struct change_points *out);

// ---- Whether the means of equal segments agree, by generalised least squares of one level: sums of any such series tend to
// fractional Brownian motion (Taqqu 1975).

#define SEGMENT_MEANS_MAX 16

struct segment_means {
	size_t segments;
	double means[SEGMENT_MEANS_MAX];
	double statistic; // chi-squared of segments - 1 degrees
	double p;	  // of one as large where the level is one
};

// Sums of neighbouring segments depend on one another as fractional Gaussian noise of the scale's h does. The last
// n % segments points are left out. 2 <= segments <= SEGMENT_MEANS_MAX, n >= segments.
struct segment_means segment_means_test(const double *x, size_t n, size_t segments, const struct memory_scale *scale);

#endif
