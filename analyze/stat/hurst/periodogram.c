// SPDX-License-Identifier: GPL-3.0-or-later
// Estimators from the lowest ordinates of the periodogram: two slopes, and a ratio of sums.
#include "stat/hurst/estimators.h"

#include <math.h>

#include "stat/hurst/hurst_bias.h"
#include "stat/intervals/line.h"
#include "stat/spectra/spectrum.h"

// ---- slope of the periodogram
// Taqqu, Teverovsky and Willinger, Fractals 3 (1995) 785-798. Known values: the table
// in tests/property/stat_hurst_test.c.

static enum tr_status periodogram_run(const struct series_parts *series,
				      const struct estimate_options *options, double *work,
				      struct estimate *out, struct tr_error *err)
{
	const struct spectrum *spectrum = series->spectrum;
	const size_t n = series->n;
	double *log_frequency = work, *log_power = log_frequency + n / 2 + 1;
	struct line line;
	struct band band;
	size_t count = 0;

	if (band_choose(&band, spectrum, (double)n / 10, options, out, err) != TR_OK)
		return TR_ERROR;
	for (size_t j = band.first; j <= band.last; j++) {
		if (!(spectrum->power[j] > 0))
			continue;
		log_frequency[count] = log10(spectrum_frequency(spectrum, j));
		log_power[count++] = log10(spectrum->power[j]);
	}
	line = line_fit(log_frequency, log_power, count);
	out->slope = line.slope;
	out->intercept = line.intercept;
	out->h = (1 - line.slope) / 2;
	spectrum_plot(spectrum, band, out);
	hurst_bias_interval(out, &periodogram_bias, n, options);
	return TR_OK;
}

const struct estimator periodogram = {
	.name = "periodogram",
	.title = "periodogram",
	.paper = "Taqqu, Teverovsky, Willinger 1995",
	.equation = "I(f) ~ f^(1 - 2H) as f goes to 0",
	SPECTRUM_ESTIMATOR,
	.n_min = 256,
	.workspace = spectrum_workspace,
	.run = periodogram_run,
};

// ---- averaged periodogram
// Robinson, Semiparametric analysis of long-memory time series, Annals of Statistics 22 (1994)
// 515-539, with q = 1/2; its limit is not normal above H = 3/4 (Lobato and Robinson,
// Journal of Econometrics 73 (1996) 303-324), so the interval is simulated. Known values:
// tests/property/stat_hurst_test.c.

static enum tr_status averaged_run(const struct series_parts *series,
				   const struct estimate_options *options, double *workspace,
				   struct estimate *out, struct tr_error *err)
{
	const struct spectrum *spectrum = series->spectrum;
	const size_t n = series->n;
	double low = 0, all = 0;
	struct band band;

	(void)workspace;
	if (band_choose(&band, spectrum, pow((double)n, 0.65), options, out, err) != TR_OK)
		return TR_ERROR;
	for (size_t j = band.first; j <= band.last; j++) {
		all += spectrum->power[j];
		if (2 * j <= band.last)
			low += spectrum->power[j];
	}
	if (!(low > 0))
		return tr_fail(err, "there is no power at the lower frequencies");
	// An odd m has no half: its frequencies are (m - 1) / 2 of m.
	out->h = 1 - log(all / low) / (2 * log((double)band.last / (double)(band.last / 2)));
	spectrum_plot(spectrum, band, out);
	out->slope = 1 - 2 * out->h;
	out->intercept = log10(all * 2 * M_PI / (double)n) + log10(2 - 2 * out->h) -
			 (2 - 2 * out->h) * log10(spectrum_frequency(spectrum, band.last));
	hurst_bias_interval(out, &averaged_periodogram_bias, n, options);
	return TR_OK;
}

const struct estimator averaged_periodogram = {
	.name = "avper",
	.title = "averaged periodogram",
	.paper = "Robinson 1994",
	.equation = "H = 1 - ln(F(qf)/F(f))/(2 ln q), F(f) = sum of I up to f",
	SPECTRUM_ESTIMATOR,
	.n_min = 256,
	.run = averaged_run,
};

// ---- Geweke and Porter-Hudak
// Geweke and Porter-Hudak, The estimation and application of long memory time series models,
// Journal of Time Series Analysis 4 (1983) 221-238. Known value: d = .503829 for the
// Nile's minima with m = 25 (R's fracdiff gives the same six digits).

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

static enum tr_status gph_run(const struct series_parts *series,
			      const struct estimate_options *options, double *work,
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
	.paper = "Geweke, Porter-Hudak 1983",
	.equation = "ln I(f) = c - (H - 1/2) ln(4 sin^2(f/2)) + error",
	SPECTRUM_ESTIMATOR,
	.n_min = 64,
	.workspace = spectrum_workspace,
	.run = gph_run,
};
