// SPDX-License-Identifier: GPL-3.0-or-later
// Haar: Veitch and Abry 1999, see stat/logscale.c. Aggregated variance: Taqqu, Teverovsky and Willinger
// 1995, see stat/aggregated_variance.c. Known values: those of the two on a series whose first point
// lies on a multiple of its length, in tests/property/stat_dyadic_test.c.
#include "stat/dyadic_estimate.h"

#include <math.h>

#include "stat/aggregated_variance.h"
#include "stat/block_means.h"
#include "stat/logscale.h"
#include "stat/wavelet.h"

static enum tr_status haar(const struct dyadic *dyadic, const struct estimate_options *options, struct estimate *out,
			   struct tr_error *err)
{
	double energy[WAVELET_OCTAVES_MAX];
	size_t details[WAVELET_OCTAVES_MAX], octaves = 0;

	for (unsigned j = 0; octaves < WAVELET_OCTAVES_MAX && dyadic_pairs(dyadic, j) > 0; j++) {
		const double pairs = (double)dyadic_pairs(dyadic, j);

		energy[octaves] = ldexp((double)dyadic->level[j].details / pairs, -(int)j - 1);
		details[octaves++] = (size_t)dyadic_pairs(dyadic, j);
	}
	return logscale_fit(energy, details, octaves, (size_t)dyadic->level[0].windows.n, LOGSCALE_HAAR_FIRST, options, out,
			    err);
}

static enum tr_status aggvar(const struct dyadic *dyadic, const struct estimate_options *options, struct estimate *out,
			     struct tr_error *err)
{
	const uint64_t n = dyadic->level[0].windows.n;
	double min, max;

	block_means_range(options, (size_t)n, &min, &max);
	estimate_clear(out);
	for (unsigned j = 0; j < dyadic->levels && dyadic->level[j].windows.n >= 2; j++) {
		const struct moments *windows = &dyadic->level[j].windows;
		struct estimate_point *point = &out->points[out->point_count++];

		point->scale = ldexp(1, (int)j);
		point->blocks = (size_t)windows->n;
		point->x = log10(point->scale);
		point->y = log10(moments_deviations(windows) / (double)windows->n) - 2 * point->x;
		point->fitted = point->scale >= min && point->scale <= max && isfinite(point->y);
	}
	if (estimate_fit(out, (size_t)n, err) != TR_OK)
		return TR_ERROR;
	out->h = 1 + out->slope / 2;
	out->interval = "none: not simulated for powers of two";
	return TR_OK;
}

const struct dyadic_estimator dyadic_estimators[DYADIC_ESTIMATORS] = {
	{&aggregated_variance, aggvar},
	{&logscale_haar, haar},
};

const struct dyadic_estimator *dyadic_estimator_find(const struct estimator *like)
{
	for (size_t i = 0; i < DYADIC_ESTIMATORS; i++)
		if (dyadic_estimators[i].like == like)
			return &dyadic_estimators[i];
	return NULL;
}

double dyadic_dispersion(const struct dyadic *dyadic, unsigned level)
{
	const struct moments *windows = &dyadic->level[level].windows;

	return windows->sum > 0 ? moments_variance(windows) / moments_mean(windows) : NAN;
}
