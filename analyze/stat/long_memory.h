// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a series has long memory, against short.
#ifndef STAT_LONG_MEMORY_H
#define STAT_LONG_MEMORY_H

#include <stddef.h>

#include "stat/lo_rescaled_range.h"
#include "stat/verdict.h"

#define LONG_MEMORY_METHODS 2
#define LONG_MEMORY_POINTS_MIN 64

struct long_memory {
	struct lo_rescaled_range test;
	struct method_result methods[LONG_MEMORY_METHODS]; // lo, rescaled-variance
	enum verdict answer;
	char sentence[VERDICT_SENTENCE];
};

// The answer is yes where both statistics are above what 95 of 100 series with short memory give, no where neither is,
// else unknown, as below LONG_MEMORY_POINTS_MIN points, for a constant series and where the lags are more than a fifth of
// the points. lags as in
// stat/lo_rescaled_range.h.
void long_memory_judge(const double *x, size_t n, size_t lags, struct long_memory *out);

#endif
