// SPDX-License-Identifier: GPL-3.0-or-later
// Sums and differences of ticks from inputs that may hold any numbers: at the ends of the range they stay there.
#ifndef REPORT_SPAN_H
#define REPORT_SPAN_H

#include <stdint.h>

// later - earlier.
static inline int64_t span_between(int64_t earlier, int64_t later)
{
	int64_t span;

	if (!__builtin_sub_overflow(later, earlier, &span))
		return span;
	return later < earlier ? INT64_MIN : INT64_MAX;
}

static inline int64_t span_sum(int64_t a, int64_t b)
{
	int64_t sum;

	if (!__builtin_add_overflow(a, b, &sum))
		return sum;
	return a < 0 ? INT64_MIN : INT64_MAX;
}

#endif
