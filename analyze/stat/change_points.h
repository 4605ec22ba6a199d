// SPDX-License-Identifier: GPL-3.0-or-later
// Where the level of a series changes, as often as it does, against what its memory makes of the partial sums.
#ifndef STAT_CHANGE_POINTS_H
#define STAT_CHANGE_POINTS_H

#include <stddef.h>

#include "stat/memory_scale.h"

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
// least, each by level_shift_p; the narrowest that shows a shift at its share of 5 % tells of one change, and the points to
// both sides are searched again. Where nothing changes, there is a change in 5 of 100 series at most, as far as the scale
// holds. means are those of x[n].
void change_points_find(const double *x, const double *y, size_t n, const struct memory_scale *scale,
			struct change_points *out);

#endif
