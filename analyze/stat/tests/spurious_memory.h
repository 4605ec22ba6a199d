// SPDX-License-Identifier: GPL-3.0-or-later
// Tests whether apparent long memory is real, against level shifts or a slow trend (Qu 2011).
#ifndef STAT_SPURIOUS_MEMORY_H
#define STAT_SPURIOUS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "value/status.h"

struct spurious_memory {
	size_t frequencies; // m
	double trimming;    // share of the lowest frequencies left out: .05 below 500 points, else .02
	double h;	    // local Whittle estimate with these frequencies
	double statistic;   // W
	bool excess;	    // the lowest frequencies have more power than long memory gives, as with shifts and trends;
			    // else less, as with short memory
	double threshold;   // of W at 5 %
	double p;	    // of a W as large in a stationary series, with long memory or short
	double period;	    // in points, of the highest peak from frequency 10 on
	double p_period;    // probability of a peak as high above the memory's spectrum; one in a thousand is a period
};

// Doubles of workspace for n points.
size_t spurious_memory_workspace(size_t n);

// Whether the local Whittle score drifts over the m = n^.7 lowest frequencies, or as many as have periods of
// period_min points and more (0: any; at least 30 frequencies). A period makes it drift too. n >= 128. TR_ERROR for a
// constant series or if out of memory.
enum tr_status spurious_memory_test(const double *x, size_t n, double period_min, double *workspace,
				    struct spurious_memory *out, struct tr_error *err);

#endif
