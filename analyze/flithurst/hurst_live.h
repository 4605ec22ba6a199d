// SPDX-License-Identifier: GPL-3.0-or-later
// flithurst --every: estimates while the packets come, from sums over dyadic windows.
#ifndef ANALYZE_HURST_LIVE_H
#define ANALYZE_HURST_LIVE_H

#include <stdbool.h>
#include <stdio.h>

#include "series/bin_feed.h"
#include "stat/dyadic_estimate.h"
#include "trace/table.h"

struct hurst_live {
	struct num_ratio every; // seconds from report to report; reports come at its multiples
	const struct estimate_options *estimate;
	bool wanted[DYADIC_ESTIMATORS];
	bool points;
	struct table_style style;
	FILE *out;
	// Set by hurst_live_start.
	const char *name;
	struct bin_feed feed; // to be run by the caller
	struct dyadic dyadic;
	int64_t period; // in bins; 0 before the first bin
	int64_t due;	// bin at whose start the next report is due
};

// Begins a new input of that name, lent. The feed's bin and wire are the caller's to set.
void hurst_live_start(struct hurst_live *live, const char *name, bool of_bytes);

// The last report, of all that came, also where that is nothing. TR_ERROR where it can't be written.
enum tr_status hurst_live_end(struct hurst_live *live, struct tr_error *err);

#endif
