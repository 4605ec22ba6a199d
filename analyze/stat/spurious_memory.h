// SPDX-License-Identifier: GPL-3.0-or-later
// Whether what looks like long memory is one, against shifts of the level or a slow trend (Qu 2011).
#ifndef STAT_SPURIOUS_MEMORY_H
#define STAT_SPURIOUS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/status.h"

struct spurious_memory {
	size_t frequencies; // m
	double trimming;    // share of them below which there is no look: .05 below 500 points, else .02
	double h;	    // local Whittle estimate with these frequencies
	double statistic;   // W
	bool excess;	    // the lowest frequencies have more power than memory gives, as shifts and trends make it;
			    // else less, as short memory does
	double threshold;   // of W at 5 %
	double p;	    // of one as large in a stationary series, of long memory or short
	double period;	    // in points, of the highest peak from frequency 10 on
	double p_period;    // chance of a peak as high over what the memory gives; one in a thousand is a period
};

// Doubles of workspace for n points.
size_t spurious_memory_workspace(size_t n);

// Whether the local Whittle score drifts over the m = n^.7 lowest frequencies, or as many as have periods of
// period_min points and more (0: any; 30 frequencies at least). A period makes it drift too. n >= 128. TR_ERROR for a
// constant series or without memory.
enum tr_status spurious_memory_test(const double *x, size_t n, double period_min, double *workspace,
				    struct spurious_memory *out, struct tr_error *err);

#endif
