// SPDX-License-Identifier: GPL-3.0-or-later
// Taqqu, Teverovsky and Willinger, Estimators for long-range dependence: an empirical study,
// Fractals 3 (1995) 785-798, section 2.3. Known values: for Gaussian series as aggregated variance;
// the table in tests/property/stat_hurst_test.c.
#include "stat/absolute_moments.h"

#include "stat/block_means.h"
#include "stat/hurst_bias.h"
#include "stat/profile.h"

static enum tr_status run(const double *x, size_t n, const struct estimate_options *options,
			  double *sums, struct estimate *out, struct tr_error *err)
{
	if (block_means_points(x, n, options, block_deviation, sums, out, err) != TR_OK ||
	    estimate_fit(out, n, err) != TR_OK)
		return TR_ERROR;
	out->h = 1 + out->slope;
	hurst_bias_interval(out, &absolute_moments_bias, n, options);
	return TR_OK;
}

const struct estimator absolute_moments = {
	.name = "absmom",
	.title = "absolute moments",
	.paper = "Taqqu, Teverovsky, Willinger 1995, section 2.3",
	.x_label = "log10 block length",
	.y_label = "log10 mean absolute deviation",
	.n_min = 256,
	.workspace = profile_workspace,
	.run = run,
};
