// SPDX-License-Identifier: GPL-3.0-or-later
// Taqqu, Teverovsky and Willinger, Fractals 3 (1995) 785-798, section 2.7. Known values: the table
// in tests/property/stat_hurst_test.c.
#include "stat/periodogram.h"

#include <math.h>

#include "stat/hurst_bias.h"
#include "stat/line.h"
#include "stat/spectrum.h"

static enum tr_status run(const struct series_parts *series, const struct estimate_options *options, double *work,
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
	.paper = "Taqqu, Teverovsky, Willinger 1995, section 2.7",
	.equation = "I(f) ~ f^(1 - 2H) as f goes to 0",
	SPECTRUM_ESTIMATOR,
	.n_min = 256,
	.workspace = spectrum_workspace,
	.run = run,
};
