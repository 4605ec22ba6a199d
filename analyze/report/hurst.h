// SPDX-License-Identifier: GPL-3.0-or-later
// All estimates of the Hurst parameter of one stream's packet counts.
#ifndef REPORT_HURST_H
#define REPORT_HURST_H

#include "report/counts.h"
#include "stat/estimator.h"
#include "stat/variance_slope.h"
#include "trace/status.h"

struct hurst_estimate {
	const struct estimator *estimator;
	struct estimate estimate;
};

struct hurst {
	struct variance_slope slope;	  // over the 13 widths
	double level;			  // of all intervals
	double width_s;			  // of the bins of the estimators' series
	size_t n;			  // points of it; 0: there is none
	size_t count;			  // estimators that gave an estimate
	struct hurst_estimate *estimates; // of those
};

// Runs every estimator over finished counts. Where the series is too short for one, or it finds nothing, it is left
// out. TR_ERROR without memory.
enum tr_status hurst_make(struct hurst *out, const struct counts *counts, double level, struct tr_error *err);

void hurst_close(struct hurst *hurst);

// The estimate's H, without the method's known bias where that is known.
double hurst_best(const struct estimate *estimate);

#endif
