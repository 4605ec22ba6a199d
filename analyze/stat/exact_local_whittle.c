// SPDX-License-Identifier: GPL-3.0-or-later
// Shimotsu and Phillips, Exact local Whittle estimation of fractional integration, Annals of
// Statistics 33 (2005) 1890-1933; the level: Shimotsu, Exact local Whittle estimation of fractional
// integration with unknown mean and time trend, Econometric Theory 26 (2010) 501-540, section 3.
#include "stat/exact_local_whittle.h"

#include <math.h>

#include "stat/fractional_transform.h"
#include "stat/minimum.h"
#include "stat/power_law.h"
#include "stat/spectrum.h"

#define PRECISION 1e-6

struct search {
	const struct fractional_transform *transform;
	double mean, first; // of the series: its mean, and its first point
	double mean_log;    // of the frequencies
	double information; // sum of the squared deviations of 2 log frequency
	double scale;	    // of power in the squared modulus of a transform
};

static double mean_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

// By how much the series is above its own level when d is tried, where its first point was taken for the level.
static double shift_at(const struct search *search, double d)
{
	const double share = d <= 0.5 ? 1 : d >= 0.75 ? 0 : (1 + cos(4 * M_PI * d)) / 2;

	return share * (search->first - search->mean);
}

static double objective(const void *context, double d)
{
	const struct search *search = context;
	const double power = fractional_transform_power(search->transform, d, shift_at(search, d));

	return log(search->scale * power) - 2 * d * search->mean_log;
}

static size_t workspace(size_t n)
{
	return fractional_transform_workspace(n);
}

// Sets the estimate and its interval; out's plot is that of the series itself.
static void estimate(const struct search *search, size_t count, double level, struct estimate *out)
{
	const double d = minimum_find(objective, search, POWER_LAW_D_MIN, POWER_LAW_D_MAX, PRECISION);
	const double scale = objective(search, d) + 2 * d * search->mean_log - log((double)count);

	out->h = d + 0.5;
	out->slope = -2 * d;
	out->intercept = scale / M_LN10;
	estimate_normal_interval(out, 1 / sqrt(search->information), level,
				 "asymptotic, by the frequencies' own sum of squares");
}

static enum tr_status run(const struct series_parts *series, const struct estimate_options *options, double *work,
			  struct estimate *out, struct tr_error *err)
{
	const double n = (double)series->n;
	struct search search = {.mean = mean_of(series->x, series->n), .first = series->x[0], .scale = 1 / (2 * M_PI * n)};
	struct band band;
	size_t count;

	if (band_choose(&band, series->spectrum, pow(n, 0.65), options, out, err) != TR_OK)
		return TR_ERROR;
	count = band.last - band.first + 1;
	spectrum_plot(series->spectrum, band, out);
	for (size_t j = band.first; j <= band.last; j++)
		search.mean_log += log(spectrum_frequency(series->spectrum, j)) / (double)count;
	for (size_t j = band.first; j <= band.last; j++)
		search.information += 4 * pow(log(spectrum_frequency(series->spectrum, j)) - search.mean_log, 2);
	search.transform = fractional_transform_make(series, band, search.mean, work);
	estimate(&search, count, options->level, out);
	return TR_OK;
}

const struct estimator exact_local_whittle = {
	.name = "elw",
	.title = "exact local Whittle",
	.paper = "Shimotsu, Phillips 2005; Shimotsu 2010",
	.equation = "d = H - 1/2 minimises ln(mean I of (1 - B)^d X) - 2d mean ln f, f near 0",
	SPECTRUM_ESTIMATOR,
	.n_min = 512,
	.workspace = workspace,
	.run = run,
};
