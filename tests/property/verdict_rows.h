// SPDX-License-Identifier: GPL-3.0-or-later
// Rates of the verdicts on series of a known kind.
#ifndef TESTS_VERDICT_ROWS_H
#define TESTS_VERDICT_ROWS_H

#include "traffic_kinds.h"

struct verdict_row {
	int series;
	double yes, no, not_decided; // fractions of them
	double yes_at_most;	     // upper 95 % bound of yes (Clopper and Pearson)
	double h_mean, h_sd;	     // of those with yes; NaN if there are none
	double held;		     // fraction whose interval contains the true H
};

// count series of n points, numbered from first on.
struct verdict_row verdict_row_make(size_t kind, size_t n, int count, uint64_t first);

#endif
