// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/hurst.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat/estimation.h"

static size_t estimator_count(void)
{
	size_t count = 0;

	while (estimators[count])
		count++;
	return count;
}

static enum tr_status keep(struct hurst *out, const struct estimation *estimations, size_t count, struct tr_error *err)
{
	size_t made = 0;

	for (size_t i = 0; i < count; i++)
		made += estimations[i].made;
	out->estimates = calloc(made + 1, sizeof(*out->estimates));
	if (!out->estimates)
		return tr_no_memory(err, "%zu estimates", made);
	for (size_t i = 0; i < count; i++)
		if (estimations[i].made)
			out->estimates[out->count++] = (struct hurst_estimate){estimations[i].estimator,
									       estimations[i].estimate};
	return TR_OK;
}

static enum tr_status run(struct hurst *out, const double *series, struct tr_error *err)
{
	const struct estimate_options options = {.level = out->level};
	const size_t count = estimator_count();
	struct estimation *estimations = calloc(count, sizeof(*estimations));
	enum tr_status status;

	if (!estimations)
		return tr_no_memory(err, "estimates");
	for (size_t i = 0; i < count; i++)
		estimations[i].estimator = estimators[i];
	status = estimations_make(series, out->n, NULL, &options, estimations, count, NULL, NULL, err);
	if (status == TR_OK)
		status = keep(out, estimations, count, err);
	free(estimations);
	return status;
}

enum tr_status hurst_make(struct hurst *out, const struct counts *counts, double level, struct tr_error *err)
{
	const double *series = counts_series(counts, &out->n, &out->width_s);

	memset(&out->slope, 0, sizeof(out->slope));
	out->slope.slope = out->slope.lo = out->slope.hi = NAN;
	out->level = level;
	out->count = 0;
	out->estimates = NULL;
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

void hurst_close(struct hurst *hurst)
{
	free(hurst->estimates);
}
