// SPDX-License-Identifier: GPL-3.0-or-later
// Teverovsky and Taqqu, Testing for long-range dependence in the presence of shifting means or a
// slowly declining trend, using a variance-type estimator, Journal of Time Series Analysis 18
// (1997) 279-304. Known values: the table in tests/property/stat_hurst_test.c.
#include "stat/differenced_variance.h"

#include <math.h>

#include "stat/block_means.h"
#include "stat/hurst_bias.h"

// Makes of the variances the differences to the next.
static void difference(struct estimate *out)
{
	size_t last = out->point_count > 0 ? out->point_count - 1 : 0;

	for (size_t i = 0; i < last; i++) {
		struct estimate_point *point = &out->points[i];
		const double fall = pow(10, point[0].y) - pow(10, point[1].y);

		point->fitted = point[0].fitted && point[1].fitted && fall > 0;
		point->y = fall > 0 ? log10(fall) : NAN;
	}
	out->point_count = last;
}

static enum tr_status run(const struct series_parts *series, const struct estimate_options *options, double *workspace,
			  struct estimate *out, struct tr_error *err)
{
	(void)workspace;
	block_means_points(series, options, block_variance, out);
	difference(out);
	return hurst_bias_fit(out, 1, 0.5, &differenced_variance_bias, series->n, options, err);
}

const struct estimator differenced_variance = {
	.name = "diffvar",
	.title = "differenced variance",
	.paper = "Teverovsky, Taqqu 1997",
	.equation = "Var X^(m) - Var X^(2m) ~ m^(2H - 2)",
	.x_label = "log10 block length",
	.y_label = "log10 fall of variance",
	.n_min = 256,
	.needs = PART_PROFILE,
	.run = run,
};
