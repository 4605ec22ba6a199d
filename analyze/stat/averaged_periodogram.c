// SPDX-License-Identifier: GPL-3.0-or-later
// Robinson, Semiparametric analysis of long-memory time series, Annals of Statistics 22 (1994)
// 515-539, equation 2.1 with q = 1/2; its limit is not normal above H = 3/4 (Lobato and Robinson,
// Journal of Econometrics 73 (1996) 303-324), so the interval is simulated. Known values:
// tests/property/stat_hurst_test.c.
#include "stat/averaged_periodogram.h"

#include <math.h>

#include "stat/hurst_bias.h"
#include "stat/spectrum.h"

static enum tr_status run(const struct series_parts *series, const struct estimate_options *options, double *workspace,
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
	.paper = "Robinson 1994, equation 2.1",
	.equation = "H = 1 - ln(F(qf)/F(f))/(2 ln q), F(f) = sum of I up to f",
	SPECTRUM_ESTIMATOR,
	.n_min = 256,
	.run = run,
};
