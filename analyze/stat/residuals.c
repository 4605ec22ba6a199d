// SPDX-License-Identifier: GPL-3.0-or-later
// Taqqu, Teverovsky and Willinger, Fractals 3 (1995) 785-798, section 2.5 (after Peng et al. 1994);
// the median: Taqqu and Teverovsky, On estimating the intensity of long-range dependence in finite
// and infinite variance time series, in Adler, Feldman and Taqqu, A Practical Guide to Heavy Tails,
// Birkhauser 1998, 177-217. Known values: as detrended fluctuation analysis of order 1, with a
// deviation a fifth larger.
#include "stat/residuals.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "stat/detrended.h"
#include "stat/hurst_bias.h"

#define BLOCKS_MIN 10

static size_t workspace(size_t n)
{
	return n / 3 + 1;
}

static void add_point(const struct detrended *profile, size_t n, size_t m, double *variances, struct estimate *out)
{
	struct estimate_point *point = &out->points[out->point_count++];
	double middle;

	point->scale = (double)m;
	point->blocks = n / m;
	for (size_t i = 0; i < point->blocks; i++)
		variances[i] = detrended_residual(profile, i * m, m, 1);
	middle = gsl_stats_median(variances, 1, point->blocks);
	point->x = log10(point->scale);
	point->y = log10(middle);
	point->fitted = middle > 0 && point->blocks >= BLOCKS_MIN;
}

static enum tr_status run(const struct series_parts *series, const struct estimate_options *options, double *room,
			  struct estimate *out, struct tr_error *err)
{
	const size_t n = series->n;
	size_t scales[ESTIMATE_POINTS_MAX];
	const size_t count = detrended_scales(options, n, 3, scales);

	estimate_clear(out);
	for (size_t i = 0; i < count; i++)
		add_point(series->detrended, n, scales[i], room, out);
	return hurst_bias_fit(out, 0, 0.5, &residuals_bias, n, options, err);
}

const struct estimator residuals = {
	.name = "residuals",
	.title = "residuals of regression",
	.paper = "Taqqu, Teverovsky, Willinger 1995, section 2.5; Taqqu, Teverovsky 1998",
	.equation = "median over blocks of Var(Y - its line) ~ m^(2H)",
	.x_label = "log10 block length",
	.y_label = "log10 median variance of residuals",
	.n_min = 256,
	.needs = PART_DETRENDED,
	.workspace = workspace,
	.run = run,
};
