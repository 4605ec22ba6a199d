// SPDX-License-Identifier: GPL-3.0-or-later
// Whittle's likelihood as in Fox and Taqqu, Large-sample properties of parameter estimates for
// strongly dependent stationary Gaussian time series, Annals of Statistics 14 (1986) 517-532; the
// error is sqrt(6 / (pi^2 n)). Over all frequencies the mean of log f is taken for its limit, 0, as R's
// longmemo has it. Known value: H = .89917 for the Nile's minima (R's longmemo).
#include "stat/whittle_farima.h"

#include <math.h>

#include "stat/condensed_spectrum.h"
#include "stat/power_law.h"

static enum tr_status run(const struct series_parts *series, const struct estimate_options *options, double *workspace,
			  struct estimate *out, struct tr_error *err)
{
	const struct spectrum *spectrum = series->spectrum;
	double log_shape[CONDENSED_MAX], room[CONDENSED_MAX];
	struct condensed_spectrum condensed;
	struct power_law law;
	struct band band;

	(void)workspace;
	if (band_choose(&band, spectrum, (double)series->n, options, out, err) != TR_OK)
		return TR_ERROR;
	condensed_spectrum_make(&condensed, spectrum, band);
	for (size_t q = 0; q < condensed.count; q++)
		log_shape[q] = log(2 * sin(condensed.frequency[q] / 2));
	law = power_law_fit_condensed(&condensed, log_shape, condensed.frequencies == spectrum->count, room);
	out->h = law.d + 0.5;
	out->slope = -2 * law.d;
	out->intercept = log10(law.level);
	for (size_t q = 0; q < condensed.count; q++)
		room[q] = exp(-2 * law.d * log_shape[q]);
	out->fit = condensed_spectrum_fit(&condensed, room);
	spectrum_plot(spectrum, band, out);
	estimate_normal_interval(out, 1 / sqrt(law.information), options->level,
				 "asymptotic, if the series is FARIMA(0, d, 0)");
	return TR_OK;
}

const struct estimator whittle_farima = {
	.name = "whittle-farima",
	.title = "Whittle, FARIMA(0, d, 0)",
	.paper = "Fox, Taqqu 1986",
	.equation = "H minimises sum I(f)/g(f), g(f) = c |2 sin(f/2)|^(1 - 2H)",
	SPECTRUM_ESTIMATOR,
	.n_min = 64,
	.run = run,
};
