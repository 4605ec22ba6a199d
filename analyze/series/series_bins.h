// SPDX-License-Identifier: GPL-3.0-or-later
// Bins that come in any order, on their way to a series.
#ifndef ANALYZE_SERIES_BINS_H
#define ANALYZE_SERIES_BINS_H

#include <stdbool.h>
#include <stdint.h>

#include "series/series_input.h"
#include "stat/bins.h"

// Zero is a valid empty one but for bins.max_bins, which the caller sets. Freed with bins_clear of bins.
struct series_bins {
	struct bins bins;    // of join bins as they come
	int64_t first, last; // indices as they come, where any came
	bool any;
	uint64_t packets;
	bool widens;   // neighbours may be joined, as bins.h says of a series for the estimators; set by the caller
	unsigned tens; // so many joins of ten make the bins that come 10 ms wide; set by the caller
	int64_t join;  // 0: 1
};

// A bin_sink whose context is a struct series_bins.
enum tr_status series_bins_take(void *context, const struct bin_run *run, struct tr_error *err);

// The width of the bins to be fed where the width of the series is left open: the narrowest that whole ticks hold. Sets widens
// and tens.
struct num_ratio series_bins_finest(struct series_bins *store, uint64_t ticks_per_s);

// Fills the series with the bins between the first and the last, which were observed in part only, and 0 where none
// came. series->bin is the bins' width as they came; afterwards that of the series. TR_ERROR beyond the settings' points or
// without memory.
enum tr_status series_bins_make(struct series *series, const struct series_bins *store, const struct series_settings *settings,
				struct tr_error *err);

#endif
