// SPDX-License-Identifier: GPL-3.0-or-later
// Robinson, Gaussian semiparametric estimation of long range dependence, Annals of Statistics 23
// (1995) 1630-1661, equations 3.2 and 4.1; the error is 1 / (2 sqrt m) for many
// frequencies, and by the information of those that there are larger for few. Known values: H = .967 for the Nile's minima with m = 25,
// .840 for Ethernet traffic of 4000 points (longmemo) with m = n^.65.
#include "stat/local_whittle.h"

#include <math.h>

#include "stat/power_law.h"
#include "stat/spectrum.h"

static enum tr_status run(const struct series_parts *series, const struct estimate_options *options, double *work,
			  struct estimate *out, struct tr_error *err)
{
	const struct spectrum *spectrum = series->spectrum;
	const size_t n = series->n;
	struct power_law law;
	struct band band;

	if (band_choose(&band, spectrum, pow((double)n, 0.65), options, out, err) != TR_OK)
		return TR_ERROR;
	law = power_law_fit_band(spectrum, band, work, work + n / 2 + 1);
	out->h = law.d + 0.5;
	out->slope = -2 * law.d;
	out->intercept = log10(law.level);
	spectrum_plot(spectrum, band, out);
	if (!law.inside)
		estimate_warn(out, "the likelihood has no maximum between -1 and 2");
	estimate_normal_interval(out, 1 / sqrt(law.information), options->level,
				 "asymptotic, by the frequencies' own sum of squares");
	return TR_OK;
}

const struct estimator local_whittle = {
	.name = "lw",
	.title = "local Whittle",
	.paper = "Robinson 1995, equation 3.2",
	.equation = "H minimises ln(mean f^(2H - 1) I(f)) - (2H - 1) mean ln f, f near 0",
	SPECTRUM_ESTIMATOR,
	.n_min = 64,
	.workspace = spectrum_workspace,
	.run = run,
};
