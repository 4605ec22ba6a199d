// SPDX-License-Identifier: GPL-3.0-or-later
// Tests long memory against short: Lo 1991 and Giraitis, Kokoszka, Leipus and Teyssiere 2003
// (partial_sums.h), and a local Whittle bound (Robinson 1995).
#ifndef STAT_LONG_MEMORY_H
#define STAT_LONG_MEMORY_H

#include <stddef.h>

#include "stat/intervals/verdict.h"
#include "stat/tests/memory_scale.h"
#include "stat/tests/partial_sums.h"

#define LONG_MEMORY_METHODS 4
#define LONG_MEMORY_POINTS_MIN 64
#define LONG_MEMORY_H_LEAST 0.6 // an H below this counts as no long memory

struct long_memory {
	struct lo_rescaled_range test;
	struct memory_scale scale; // of the lowest frequencies, after filtering short memory; se 0
				   // if there is none
	double p; // that both statistics are as large in a series with short memory; NaN if there
		  // are none
	double power; // probability that both reject for fractional Gaussian noise of H .8 with as
		      // many points; or NaN
	double h_upper; // upper bound of H at 95 %, one-sided; NaN if there is none
	struct method_result
		methods[LONG_MEMORY_METHODS]; // lo, rescaled-variance, local-whittle, spectrum
	enum verdict answer;
	char sentence[VERDICT_SENTENCE];
};

// Doubles of workspace for n points.
size_t long_memory_workspace(size_t n);

// The answer is yes if both statistics exceed those of 95 of 100 series with short memory (p below
// 5 %); no if not both do, and h_upper is below LONG_MEMORY_H_LEAST; neither where the spectrum
// (self_similarity.h) says otherwise, yes only where it says yes; else unknown, also below
// LONG_MEMORY_POINTS_MIN points, for a constant series and if the lags are more than a fifth of the
// points. Values with a heavy tail are replaced by normal scores (ranks.h). lags as in
// lo_rescaled_range_test. TR_ERROR if out of memory; *out is then undefined.
enum tr_status long_memory_decide(const double *x, size_t n, size_t lags, double *workspace,
				  struct long_memory *out, struct tr_error *err);

#endif
