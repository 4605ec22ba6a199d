// SPDX-License-Identifier: GPL-3.0-or-later
// Taqqu, Teverovsky and Willinger, Estimators for long-range dependence: an empirical study,
// Fractals 3 (1995) 785-798, section 2.1. Known values: white noise H = 1/2; the table of
// fractional Gaussian noise in tests/property/stat_hurst_test.c, where it is low by .05 at H = .9
// and 10,000 points.
#include "stat/aggregated_variance.h"

#include "stat/block_means.h"
#include "stat/hurst_bias.h"

static enum tr_status run(const struct series_parts *series, const struct estimate_options *options, double *workspace,
			  struct estimate *out, struct tr_error *err)
{
	(void)workspace;
	block_means_points(series, options, block_variance, out);
	return hurst_bias_fit(out, 1, 0.5, &aggregated_variance_bias, series->n, options, err);
}

const struct estimator aggregated_variance = {
	.name = "aggvar",
	.title = "aggregated variance",
	.paper = "Taqqu, Teverovsky, Willinger 1995, section 2.1",
	.equation = "Var X^(m) ~ m^(2H - 2)",
	.x_label = "log10 block length",
	.y_label = "log10 variance of block means",
	.n_min = 256,
	.needs = PART_PROFILE,
	.run = run,
};
