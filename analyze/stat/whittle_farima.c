// SPDX-License-Identifier: GPL-3.0-or-later
// Whittle's likelihood as in Fox and Taqqu, Large-sample properties of parameter estimates for
// strongly dependent stationary Gaussian time series, Annals of Statistics 14 (1986) 517-532; the
// error is sqrt(6 / (pi^2 n)). Over all frequencies the mean of log f is taken for its limit, 0, as R's
// longmemo has it. Known value: H = .89917 for the Nile's minima (R's longmemo).
#include "stat/whittle_farima.h"

#include <math.h>

#include "stat/power_law.h"
#include "stat/spectrum.h"
#include "stat/whittle_fit.h"

static size_t workspace(size_t n)
{
	return 2 * (n / 2 + 1);
}

static enum tr_status run(const struct series_parts *series, const struct estimate_options *options,
			  double *work, struct estimate *out, struct tr_error *err)
{
	const struct spectrum *spectrum = series->spectrum;
	const size_t n = series->n;
	double *log_shape = work, *room = log_shape + n / 2 + 1;
	struct power_law law;
	struct band band;
	size_t count;

	estimate_clear(out);
	if (band_choose(&band, spectrum, (double)n, options, err) != TR_OK)
		return TR_ERROR;
	count = band.last - band.first + 1;
	for (size_t i = 0; i < count; i++)
		log_shape[i] = log(2 * sin(spectrum_frequency(spectrum, band.first + i) / 2));
	law = power_law_fit(spectrum->power + band.first, log_shape, count,
			    count == spectrum->count ? 0 : power_law_centre(log_shape, count), room);
	out->h = law.d + 0.5;
	out->slope = -2 * law.d;
	out->intercept = log10(law.level);
	for (size_t i = 0; i < count; i++)
		room[i] = exp(-2 * law.d * log_shape[i]);
	out->fit = whittle_fit(spectrum->power + band.first, room, count);
	spectrum_plot(spectrum, band, out);
	estimate_normal_interval(out, 1 / sqrt(law.information), options->level,
				 "asymptotic, if the series is FARIMA(0, d, 0)");
	return TR_OK;
}

const struct estimator whittle_farima = {
	.name = "whittle-farima",
	.title = "Whittle, FARIMA(0, d, 0)",
	.paper = "Fox, Taqqu 1986",
	.x_label = "log10 frequency (radians per point)",
	.y_label = "log10 power",
	.n_min = 64,
	.needs = PART_SPECTRUM,
	.workspace = workspace,
	.run = run,
};
