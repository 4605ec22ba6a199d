// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a series has long memory, against short: Lo 1991 and Giraitis, Kokoszka, Leipus and Teyssiere 2003 (partial_sums.h),
// and a local Whittle bound (Robinson 1995).
#ifndef STAT_LONG_MEMORY_H
#define STAT_LONG_MEMORY_H

#include <stddef.h>

#include "stat/memory_scale.h"
#include "stat/partial_sums.h"
#include "stat/verdict.h"

#define LONG_MEMORY_METHODS 3
#define LONG_MEMORY_POINTS_MIN 64
#define LONG_MEMORY_H_LEAST 0.6 // memory below this H is taken for none

struct long_memory {
	struct lo_rescaled_range test;
	struct memory_scale scale; // of the lowest frequencies, after short memory is filtered; se 0 where there is none
	double p;		   // that both statistics are as large in a series with short memory; NaN for none
	double power;	// chance that both are above in fractional Gaussian noise of H .8 with as many points; or NaN
	double h_upper; // upper bound of H at 95 %, one-sided; NaN where there is none
	struct method_result methods[LONG_MEMORY_METHODS]; // lo, rescaled-variance, local-whittle
	enum verdict answer;
	char sentence[VERDICT_SENTENCE];
};

// Doubles of workspace for n points.
size_t long_memory_workspace(size_t n);

// The answer is yes where both statistics are above what 95 of 100 series with short memory give (p below 5 %); no where
// they are not both, and h_upper is below LONG_MEMORY_H_LEAST; else unknown, as below LONG_MEMORY_POINTS_MIN points, for a
// constant series and where the lags are more than a fifth of the points. Of values with a heavy tail the normal scores are
// tested (ranks.h). lags as in lo_rescaled_range_test.
// TR_ERROR where memory ends; *out then means nothing.
enum tr_status long_memory_judge(const double *x, size_t n, size_t lags, double *workspace, struct long_memory *out,
				 struct tr_error *err);

#endif
