// SPDX-License-Identifier: GPL-3.0-or-later
// Geweke and Porter-Hudak, The estimation and application of long memory time series models,
// Journal of Time Series Analysis 4 (1983) 221-238, theorem 2. Known value: d = .503829 for the
// Nile's minima with m = 25 (R's fracdiff gives the same six digits).
#include "stat/geweke_porter_hudak.h"

#include <math.h>

#include "stat/line.h"
#include "stat/spectrum.h"

// The errors of log power have the variance pi^2 / 6.
static double standard_error(const double *x, size_t count)
{
	double mean = 0, squares = 0;

	for (size_t i = 0; i < count; i++)
		mean += x[i] / (double)count;
	for (size_t i = 0; i < count; i++)
		squares += (x[i] - mean) * (x[i] - mean);
	return M_PI / sqrt(6 * squares);
}

static enum tr_status run(const struct series_parts *series, const struct estimate_options *options, double *work,
			  struct estimate *out, struct tr_error *err)
{
	const struct spectrum *spectrum = series->spectrum;
	const size_t n = series->n;
	double *regressor = work, *log_power = regressor + n / 2 + 1;
	struct line line;
	struct band band;
	size_t count = 0;

	if (band_choose(&band, spectrum, sqrt((double)n), options, out, err) != TR_OK)
		return TR_ERROR;
	for (size_t j = band.first; j <= band.last; j++) {
		if (!(spectrum->power[j] > 0))
			continue;
		regressor[count] = -2 * log(2 * sin(spectrum_frequency(spectrum, j) / 2));
		log_power[count++] = log(spectrum->power[j]);
	}
	line = line_fit(regressor, log_power, count);
	out->h = 0.5 + line.slope;
	out->slope = -2 * line.slope;
	out->intercept = line.intercept / M_LN10;
	spectrum_plot(spectrum, band, out);
	estimate_normal_interval(out, standard_error(regressor, count), options->level,
				 "asymptotic, by the regression's own sum of squares");
	return TR_OK;
}

const struct estimator geweke_porter_hudak = {
	.name = "gph",
	.title = "Geweke and Porter-Hudak",
	.paper = "Geweke, Porter-Hudak 1983, theorem 2",
	.equation = "ln I(f) = c - (H - 1/2) ln(4 sin^2(f/2)) + error",
	SPECTRUM_ESTIMATOR,
	.n_min = 64,
	.workspace = spectrum_workspace,
	.run = run,
};
