// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the means of equal segments of a series agree, with what its memory, long or short, makes of them.
#ifndef STAT_SEGMENT_MEANS_H
#define STAT_SEGMENT_MEANS_H

#include <stddef.h>

#include "stat/memory_scale.h"

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
