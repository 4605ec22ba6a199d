// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of flithurst share: its tables, and the live estimates.
#ifndef FLITHURST_FLITHURST_H
#define FLITHURST_FLITHURST_H

#include <stdbool.h>
#include <stdio.h>

#include "series/series.h"
#include "series/series_periods.h"
#include "stat/hurst/agreement.h"
#include "stat/hurst/dyadic.h"
#include "stat/hurst/estimator.h"
#include "stat/hurst/multifractal.h"
#include "stat/tests/self_similarity.h"
#include "table/table.h"
#include "value/status.h"

// ---- hurst_report.c
// The tables that flithurst prints: one row per series, per estimate, and per point of its plot.

struct hurst_report {
	struct table *verdicts; // NULL: not wanted
	struct table *series;
	struct table *estimates;
	struct table *periods;	  // printed if it has rows
	struct table *densities;  // likewise
	struct table *points;	  // NULL: not wanted
	struct table *multiscale; // likewise
	struct table *leaders;	  // likewise
	struct table *cumulants;  // likewise; printed if it has rows
};

// Starts the tables: verdicts, the points of the plots and the multiscale diagram only where
// wanted; level is that of the intervals. hurst_report_close frees them.
void hurst_report_open(struct hurst_report *report, bool with_verdicts, bool with_points,
		       bool with_multiscale, double level);

// Adds a series under the name of its input.
void hurst_report_series(struct hurst_report *report, const char *name,
			 const struct series *series);

// Adds the periods of an input, with a note whether the estimated series still contains them.
void hurst_report_periods(struct hurst_report *report, const char *name,
			  const struct series *series, const struct periods *periods, bool removed);

// Adds the verdict on an input.
void hurst_report_verdict(struct hurst_report *report, const char *name,
			  const struct self_similarity *verdict);

// Adds an estimate; NULL if there is none, with the reason why.
void hurst_report_estimate(struct hurst_report *report, const char *name,
			   const struct estimator *estimator, const struct estimate *estimate,
			   const char *why);

// Adds the results of wavelet leaders; NULL if there are none, with the reason why.
void hurst_report_leaders(struct hurst_report *report, const char *name,
			  const struct leaders *leaders, const char *why);

// Adds the multiscale diagram of an input; NULL if there is none, with the reason why.
void hurst_report_multiscale(struct hurst_report *report, const char *name,
			     const struct multiscale *diagram, const char *why);

// Adds the findings from all estimates of an input together.
void hurst_report_agreement(struct hurst_report *report, const char *name,
			    const struct agreement *agreement);

// Prints the tables that are wanted and, of those printed only then, that have rows. TR_ERROR if
// out of memory.
enum tr_status hurst_report_print(const struct hurst_report *report, struct table_style style,
				  FILE *out, struct tr_error *err);

// Frees the tables.
void hurst_report_close(struct hurst_report *report);

// ---- hurst_live.c
// flithurst --every: estimates at intervals while packets arrive, from sums over dyadic windows.

struct hurst_live {
	struct num_ratio every; // seconds between reports; reports come at its multiples
	const struct estimate_options *estimate;
	bool wanted[DYADIC_ESTIMATORS];
	bool points;
	struct table_style style;
	FILE *out;
	// Set by hurst_live_start.
	const char *name;
	struct bin_feed feed; // run by the caller
	struct dyadic dyadic;
	int64_t period; // in bins; 0 before the first bin
	int64_t due;	// bin at whose start the next report is due
};

// Starts a new input of that name, lent. The caller sets the feed's bin and wire.
void hurst_live_start(struct hurst_live *live, const char *name, bool of_bytes);

// The last report, of all packets, even if there are none. TR_ERROR if it can't be written.
enum tr_status hurst_live_end(struct hurst_live *live, struct tr_error *err);

#endif
