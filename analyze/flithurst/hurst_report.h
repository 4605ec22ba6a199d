// SPDX-License-Identifier: GPL-3.0-or-later
// What flithurst prints: one row a series, one an estimate, one a point of its plot.
#ifndef ANALYZE_HURST_REPORT_H
#define ANALYZE_HURST_REPORT_H

#include <stdio.h>

#include "series/series_input.h"
#include "series/series_periods.h"
#include "stat/agreement.h"
#include "stat/estimator.h"
#include "stat/leaders.h"
#include "stat/multiscale.h"
#include "stat/self_similarity.h"
#include "trace/status.h"
#include "trace/table.h"

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

#endif
