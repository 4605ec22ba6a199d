// SPDX-License-Identifier: GPL-3.0-or-later
// Whether and where the level of a series changes, judged by its partial sums, given its memory.
#ifndef STAT_LEVEL_SHIFT_H
#define STAT_LEVEL_SHIFT_H

#include <stddef.h>

#include "stat/tests/memory_scale.h"

// ---- Whether the level shifts once (Horvath and Kokoszka 1997).

struct level_shift {
	size_t at;	      // points before the most likely shift
	double before, after; // mean of the points before it, and from it on
	double greatest;      // greatest |partial sum| of the deviations from the mean
	double statistic;     // greatest over its scale under the memory
	double p;	      // of a statistic as large without a shift
};

// The maximum of |sum of the first k points - k mean| over scale->deviation n^h. n >= 2.
struct level_shift level_shift_test(const double *x, size_t n, const struct memory_scale *scale);

// The p of a greatest partial sum of n points, averaged over the error of the scale's h.
double level_shift_spread_p(double greatest, size_t n, const struct memory_scale *scale);

// ---- All changes of the level (Kovacs, Buehlmann, Li and Munk 2023; Baranowski, Chen and
// Fryzlewicz 2019).

#define CHANGE_POINTS_MAX 31

struct change_point {
	size_t at;	      // points before it
	double before, after; // means since the previous change, and up to the next
	double p;	      // of a shift as large between its neighbours if there is none
};

struct change_points {
	size_t count;
	struct change_point points[CHANGE_POINTS_MAX]; // in rising order
	double p; // joint, of the least likely interval if nothing changes; NaN below
		  // CHANGE_POINTS_MIN points
};

#define CHANGE_POINTS_MIN 256

// Tests the level of y[n] (short memory filtered) in overlapping intervals from all points to a
// 32nd of them, at least 64 points, each by the p of its greatest partial sum; the narrowest with a
// shift significant at its share of 5 % gives one change, and both sides are searched again. If
// nothing changes, at most 5 of 100 series give a change, as far as the scale is right. The means
// are those of x[n].
void change_points_find(const double *x, const double *y, size_t n,
			const struct memory_scale *scale, struct change_points *out);

// ---- Whether the means of equal segments agree, by generalised least squares of one level: sums
// of any such series tend to fractional Brownian motion (Taqqu 1975).

#define SEGMENT_MEANS_MAX 16

struct segment_means {
	size_t segments;
	double means[SEGMENT_MEANS_MAX];
	double statistic; // chi-squared with segments - 1 degrees of freedom
	double p;	  // of a statistic as large if there is one level
};

// Sums of segments correlate as fractional Gaussian noise of the scale's h. The last
// n % segments points are left out. 2 <= segments <= SEGMENT_MEANS_MAX, n >= segments.
struct segment_means segment_means_test(const double *x, size_t n, size_t segments,
					const struct memory_scale *scale);

#endif
