// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of several streams in bins of one width, so that they can be compared.
#ifndef REPORT_COMMON_COUNTS_H
#define REPORT_COMMON_COUNTS_H

#include "report/counts.h"
#include "stat/batches.h"
#include "stat/quantile.h"

// The width: a series of counts.h, its bins joined 2^shift times.
struct common_width {
	size_t series; // COUNTS_SERIES: there is none that all have
	unsigned shift;
	double seconds;
};

// The widest series that holds all the time of all count streams and 100 bins of each, else the widest with one complete bin of each.
struct common_width common_width_of(const struct counts *const *list, size_t count);

// Adds the stream's complete bins of that width, in order.
void common_counts_add(const struct common_width *width, const struct counts *counts, struct batches *batches,
		       struct quantile *quantile);

#endif
