// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/hurst.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat/estimation.h"

// Runs all estimators, and keeps what they gave.
static enum tr_status run(struct hurst *out, const double *series, struct tr_error *err)
{
	const struct estimate_options options = {.level = out->level};
	struct estimation *estimations = calloc(HURST_ESTIMATES_MAX, sizeof *estimations);
	enum tr_status status;
	size_t count = 0;

	if (!estimations)
		return tr_no_memory(err, "estimates");
	for (; estimators[count] && count < HURST_ESTIMATES_MAX; count++)
		estimations[count].estimator = estimators[count];
	status = estimations_make(series, out->n, NULL, &options, estimations, count, NULL, NULL, err);
	for (size_t i = 0; i < count && status == TR_OK; i++)
		if (estimations[i].made)
			out->estimates[out->count++] =
				(struct hurst_estimate){estimations[i].estimator, estimations[i].estimate};
	free(estimations);
	return status;
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
	return run(out, series, err);
}

double hurst_best(const struct estimate *estimate)
{
	return isfinite(estimate->h_corrected) ? estimate->h_corrected : estimate->h;
}
