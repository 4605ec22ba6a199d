// SPDX-License-Identifier: GPL-3.0-or-later
// Whether aggregated and differenced variance agree: a shift of the level raises the one and not the other.
#ifndef STAT_VARIANCE_COMPARISON_H
#define STAT_VARIANCE_COMPARISON_H

#include <stddef.h>

#include "trace/status.h"

struct variance_comparison {
	double aggregated, differenced; // H by the two, without their known bias
	double statistic;		// their difference over its error
	double p;			// of one as large without shifts
};

// n >= 256. TR_ERROR where one of them gives no estimate, or without memory.
enum tr_status variance_comparison_test(const double *x, size_t n, struct variance_comparison *out, struct tr_error *err);

#endif
