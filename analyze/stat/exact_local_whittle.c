// SPDX-License-Identifier: GPL-3.0-or-later
// Shimotsu and Phillips, Exact local Whittle estimation of fractional integration, Annals of
// Statistics 33 (2005) 1890-1933; the level: Shimotsu, Exact local Whittle estimation of fractional
// integration with unknown mean and time trend, Econometric Theory 26 (2010) 501-540, section 3.
#include "stat/exact_local_whittle.h"

#include <math.h>

#include "stat/fractional_difference.h"
#include "stat/minimum.h"
#include "stat/power_law.h"
#include "stat/spectrum.h"

#define PRECISION 1e-6

struct search {
	const struct fractional_difference *difference;
	const double *x;
	size_t n;
	double mean;
	struct band band;
	double mean_log; // of the frequencies
	double information; // sum of the squared deviations of 2 log frequency
	double *y;
	double *room; // for the spectrum of y
};

static double mean_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

// What is taken for the level when d is tried.
static double level_at(const struct search *search, double d)
{
	const double share = d <= 0.5 ? 1 : d >= 0.75 ? 0 : (1 + cos(4 * M_PI * d)) / 2;

	return share * search->mean + (1 - share) * search->x[0];
}

static double objective(const void *context, double d)
{
	const struct search *search = context;
	struct spectrum spectrum;
	double sum = 0;

	fractional_difference_make(search->difference, d, search->mean - level_at(search, d), search->y);
	if (spectrum_make(search->y, search->n, search->room, &spectrum, NULL) != TR_OK)
		return INFINITY;
	for (size_t j = search->band.first; j <= search->band.last; j++)
		sum += spectrum.power[j];
	return log(sum) - 2 * d * search->mean_log;
}

static size_t workspace(size_t n)
{
	return spectrum_workspace(n) + fractional_difference_workspace(n) + n;
}

// Sets the estimate and its interval; out's plot is that of the series itself.
static void estimate(const struct search *search, double level, struct estimate *out)
{
	const double count = (double)(search->band.last - search->band.first + 1);
	const double d = minimum_find(objective, search, POWER_LAW_D_MIN, POWER_LAW_D_MAX, PRECISION);
	const double scale = objective(search, d) + 2 * d * search->mean_log - log(count);

	out->h = d + 0.5;
	out->slope = -2 * d;
	out->intercept = scale / M_LN10;
	estimate_normal_interval(out, 1 / sqrt(search->information), level,
				 "asymptotic, by the frequencies' own sum of squares");
}

static enum tr_status run(const struct series_parts *series, const struct estimate_options *options,
			  double *work, struct estimate *out, struct tr_error *err)
{
	const struct spectrum *spectrum = series->spectrum;
	const double *x = series->x;
	const size_t n = series->n;
	double *transforms = work + spectrum_workspace(n);
	struct search search = {.x = x, .n = n, .room = work, .mean = mean_of(x, n),
				.y = transforms + fractional_difference_workspace(n)};
	struct fractional_difference *difference;

	estimate_clear(out);
	if (band_choose(&search.band, spectrum, pow((double)n, 0.65), options, err) != TR_OK ||
	    fractional_difference_open(&difference, x, n, search.mean, transforms, err) != TR_OK)
		return TR_ERROR;
	spectrum_plot(spectrum, search.band, out);
	for (size_t j = search.band.first; j <= search.band.last; j++)
		search.mean_log += log(spectrum_frequency(spectrum, j)) /
				   (double)(search.band.last - search.band.first + 1);
	for (size_t j = search.band.first; j <= search.band.last; j++)
		search.information += 4 * pow(log(spectrum_frequency(spectrum, j)) - search.mean_log, 2);
	search.difference = difference;
	estimate(&search, options->level, out);
	fractional_difference_close(difference);
	return TR_OK;
}

const struct estimator exact_local_whittle = {
	.name = "elw",
	.title = "exact local Whittle",
	.paper = "Shimotsu, Phillips 2005; Shimotsu 2010",
	.x_label = "log10 frequency (radians per point)",
	.y_label = "log10 power",
	.n_min = 512,
	.needs = PART_SPECTRUM,
	.workspace = workspace,
	.run = run,
};
