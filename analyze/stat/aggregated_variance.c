// SPDX-License-Identifier: GPL-3.0-or-later
// Taqqu, Teverovsky and Willinger, Estimators for long-range dependence: an empirical study,
// Fractals 3 (1995) 785-798, section 2.1. Known values: white noise H = 1/2; the table of
// fractional Gaussian noise in tests/property/stat_hurst_test.c, where it is low by .05 at H = .9
// and 10,000 points.
#include "stat/aggregated_variance.h"

#include <math.h>

#include "stat/hurst_bias.h"

#define SCALES 50
#define BLOCKS_MIN 10

static size_t workspace(size_t n)
{
	return n + 1;
}

// Sums of the deviations from the mean, sums[i] of the first i; so block sums are differences.
static double cumulate(const double *x, size_t n, double *sums)
{
	double mean = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		mean += x[i];
	mean /= (double)n;
	sums[0] = 0;
	for (size_t i = 0; i < n; i++) {
		sums[i + 1] = sums[i] + (x[i] - mean);
		squares += (x[i] - mean) * (x[i] - mean);
	}
	return squares;
}

// Variance (divisor: the number of blocks, as in the paper) of the means of the blocks of m points
// that fit.
static double block_variance(const double *sums, size_t blocks, size_t m)
{
	const double mean = sums[blocks * m] / (double)blocks;
	double squares = 0;

	for (size_t i = 0; i < blocks; i++) {
		const double deviation = sums[(i + 1) * m] - sums[i * m] - mean;

		squares += deviation * deviation;
	}
	return squares / (double)blocks / ((double)m * (double)m);
}

static void choose_range(const struct estimate_options *options, size_t n, double *min, double *max)
{
	const double points = (double)n;

	*max = options->scale_max > 0 ? options->scale_max : fmax(points / 128, fmin(points / 16, 128));
	*min = options->scale_min > 0 ? options->scale_min : fmax(1, 10 * fmin(1, *max / 128));
}

static enum tr_status run(const double *x, size_t n, const struct estimate_options *options,
			  double *sums, struct estimate *out, struct tr_error *err)
{
	size_t scales[ESTIMATE_POINTS_MAX], count;
	double min, max;

	estimate_clear(out);
	if (!(cumulate(x, n, sums) > 0))
		return tr_fail(err, "the series is constant");
	choose_range(options, n, &min, &max);
	count = estimate_scales(min, max, options->scales ? options->scales : SCALES, scales);
	for (size_t i = 0; i < count && scales[i] <= n / 2; i++) {
		struct estimate_point *point = &out->points[out->point_count++];
		const size_t blocks = n / scales[i];
		const double variance = block_variance(sums, blocks, scales[i]);

		point->scale = (double)scales[i];
		point->blocks = blocks;
		point->x = log10(point->scale);
		point->y = log10(variance);
		point->fitted = variance > 0 && blocks >= BLOCKS_MIN;
	}
	if (estimate_fit(out, n, err) != TR_OK)
		return TR_ERROR;
	out->h = 1 + out->slope / 2;
	hurst_bias_interval(out, &aggregated_variance_bias, n, options);
	return TR_OK;
}

const struct estimator aggregated_variance = {
	.name = "aggvar",
	.title = "aggregated variance",
	.paper = "Taqqu, Teverovsky, Willinger 1995, section 2.1",
	.x_label = "log10 block length",
	.y_label = "log10 variance of block means",
	.n_min = 256,
	.workspace = workspace,
	.run = run,
};
