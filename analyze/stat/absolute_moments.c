// SPDX-License-Identifier: GPL-3.0-or-later
// Taqqu, Teverovsky and Willinger, Estimators for long-range dependence: an empirical study,
// Fractals 3 (1995) 785-798, section 2.3. Known values: for Gaussian series as aggregated variance;
// the table in tests/property/stat_hurst_test.c.
#include "stat/absolute_moments.h"

#include "stat/block_means.h"
#include "stat/hurst_bias.h"

static enum tr_status run(const struct series_parts *series, const struct estimate_options *options, double *workspace,
			  struct estimate *out, struct tr_error *err)
{
	(void)workspace;
	block_means_points(series, options, block_deviation, out);
	return hurst_bias_fit(out, 1, 1, &absolute_moments_bias, series->n, options, err);
}

const struct estimator absolute_moments = {
	.name = "absmom",
	.title = "absolute moments",
	.paper = "Taqqu, Teverovsky, Willinger 1995, section 2.3",
	.equation = "mean |X^(m) - mean X| ~ m^(H - 1)",
	.x_label = "log10 block length",
	.y_label = "log10 mean absolute deviation",
	.n_min = 256,
	.needs = PART_PROFILE,
	.run = run,
};
