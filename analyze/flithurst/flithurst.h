// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of flithurst share: its tables, and the estimates while packets come.
#ifndef FLITHURST_FLITHURST_H
#define FLITHURST_FLITHURST_H

#include <stdbool.h>
#include <stdio.h>

#include "series/series.h"
#include "series/series_periods.h"
#include "stat/agreement.h"
#include "stat/dyadic.h"
#include "stat/estimator.h"
#include "stat/multifractal.h"
#include "stat/self_similarity.h"
#include "trace/status.h"
#include "trace/table.h"

// ---- hurst_report.c
// What flithurst prints: one row a series, one an estimate, one a point of its plot.

struct hurst_report {
	struct table *verdicts; // NULL where they are not wanted
	struct table *series;
	struct table *estimates;
	struct table *periods;	  // printed where it has rows
	struct table *densities;  // likewise
	struct table *points;	  // NULL where they are not wanted
	struct table *multiscale; // likewise
	struct table *leaders;	  // likewise
	struct table *cumulants;  // likewise; printed where it has rows
};

void hurst_report_open(struct hurst_report *report, bool with_verdicts, bool with_points, bool with_multiscale, double level);

// Adds a series under the name of its input.
void hurst_report_series(struct hurst_report *report, const char *name, const struct series *series);

// Adds the periods of an input, and a note of whether they are still in the series that is estimated.
void hurst_report_periods(struct hurst_report *report, const char *name, const struct series *series,
			  const struct periods *periods, bool removed);

// Adds the verdict on an input.
void hurst_report_verdict(struct hurst_report *report, const char *name, const struct self_similarity *verdict);

// Adds an estimate; NULL where the estimator gave none, with the reason why.
void hurst_report_estimate(struct hurst_report *report, const char *name, const struct estimator *estimator,
			   const struct estimate *estimate, const char *why);

// Adds what wavelet leaders tell of an input; NULL where there are none, with the reason why.
void hurst_report_leaders(struct hurst_report *report, const char *name, const struct leaders *leaders, const char *why);

// Adds the multiscale diagram of an input; NULL where there is none, with the reason why.
void hurst_report_multiscale(struct hurst_report *report, const char *name, const struct multiscale *diagram, const char *why);

// Adds what the estimates of an input say together.
void hurst_report_agreement(struct hurst_report *report, const char *name, const struct agreement *agreement);

enum tr_status hurst_report_print(const struct hurst_report *report, struct table_style style, FILE *out, struct tr_error *err);

// Frees the tables.
void hurst_report_close(struct hurst_report *report);

// ---- hurst_live.c
// flithurst --every: estimates while the packets come, from sums over dyadic windows.

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
