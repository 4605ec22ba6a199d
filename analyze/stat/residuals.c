// SPDX-License-Identifier: GPL-3.0-or-later
// Taqqu, Teverovsky and Willinger, Fractals 3 (1995) 785-798, section 2.5 (after Peng et al. 1994);
// the median: Taqqu and Teverovsky, On estimating the intensity of long-range dependence in finite
// and infinite variance time series, in Adler, Feldman and Taqqu, A Practical Guide to Heavy Tails,
// Birkhauser 1998, 177-217. Known values: as detrended fluctuation analysis of order 1, with a
// deviation a fifth larger.
#include "stat/residuals.h"

#include <math.h>
#include <stdlib.h>

#include "stat/detrended.h"
#include "stat/hurst_bias.h"

#define SCALES 30
#define BLOCKS_MIN 10

static size_t workspace(size_t n)
{
	return 3 * (n / 2 + 1);
}

static int rising(const void *a, const void *b)
{
	const double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof *values, rising);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static void add_point(const double *profile, size_t n, size_t m, double *room, struct estimate *out)
{
	struct estimate_point *point = &out->points[out->point_count++];
	double *variances = room + 2 * m, middle;

	detrended_basis(room, m, 1);
	point->scale = (double)m;
	point->blocks = n / m;
	for (size_t i = 0; i < point->blocks; i++)
		variances[i] = detrended_residual(profile + i * m, m, room, 1);
	middle = median(variances, point->blocks);
	point->x = log10(point->scale);
	point->y = log10(middle);
	point->fitted = middle > 0 && point->blocks >= BLOCKS_MIN;
}

static enum tr_status run(const struct series_parts *series, const struct estimate_options *options,
			  double *room, struct estimate *out, struct tr_error *err)
{
	const size_t n = series->n;
	const double least = fmin(16, fmax(10, (double)n / 100));
	const double min = options->scale_min > 0 ? options->scale_min : least;
	const double max = options->scale_max > 0 ? options->scale_max : (double)n / 10;
	size_t scales[ESTIMATE_POINTS_MAX], count;

	estimate_clear(out);
	count = estimate_scales(fmax(3, min), max, options->scales ? options->scales : SCALES, scales);
	for (size_t i = 0; i < count && scales[i] <= n / 2; i++)
		add_point(series->profile + 1, n, scales[i], room, out);
	if (estimate_fit(out, n, err) != TR_OK)
		return TR_ERROR;
	out->h = out->slope / 2;
	hurst_bias_interval(out, &residuals_bias, n, options);
	return TR_OK;
}

const struct estimator residuals = {
	.name = "residuals",
	.title = "residuals of regression",
	.paper = "Taqqu, Teverovsky, Willinger 1995, section 2.5; Taqqu, Teverovsky 1998",
	.x_label = "log10 block length",
	.y_label = "log10 median variance of residuals",
	.n_min = 256,
	.needs = PART_PROFILE,
	.workspace = workspace,
	.run = run,
};
