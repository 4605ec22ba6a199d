// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/hurst.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Runs one estimator; *out is counted where it gave something.
static enum tr_status run(struct hurst *out, const struct estimator *estimator, const double *series,
			  struct tr_error *err)
{
	const struct estimate_options options = {.level = out->level};
	struct hurst_estimate *next = &out->estimates[out->count];
	struct tr_error ignored;
	double *workspace;

	if (out->n < estimator->n_min || out->count == HURST_ESTIMATES_MAX)
		return TR_OK;
	workspace = calloc(estimator->workspace(out->n) + 1, sizeof *workspace);
	if (!workspace)
		return tr_fail(err, "no memory for %s over %zu bins", estimator->title, out->n);
	next->estimator = estimator;
	if (estimator->run(series, out->n, &options, workspace, &next->estimate, &ignored) == TR_OK)
		out->count++;
	free(workspace);
	return TR_OK;
}

enum tr_status hurst_make(struct hurst *out, const struct counts *counts, double level,
			  struct tr_error *err)
{
	const double *series = counts_series(counts, &out->n, &out->width_s);

	memset(&out->slope, 0, sizeof out->slope);
	out->slope.slope = out->slope.lo = out->slope.hi = NAN;
	out->level = level;
	out->count = 0;
	if (counts->scales.started)
		out->slope = variance_slope(&counts->scales, SCALE_COUNT, level);
	if (!series) {
		out->n = 0;
		return TR_OK;
	}
	for (size_t i = 0; estimators[i]; i++)
		if (run(out, estimators[i], series, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

double hurst_slope(const struct hurst *hurst)
{
	return 1 + hurst->slope.slope / 2;
}

double hurst_slope_lo(const struct hurst *hurst)
{
	return 1 + hurst->slope.lo / 2;
}

double hurst_slope_hi(const struct hurst *hurst)
{
	return 1 + hurst->slope.hi / 2;
}

double hurst_best(const struct estimate *estimate)
{
	return isfinite(estimate->h_corrected) ? estimate->h_corrected : estimate->h;
}
