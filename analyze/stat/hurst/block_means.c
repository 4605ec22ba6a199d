// SPDX-License-Identifier: GPL-3.0-or-later
// Estimators from the spread of block means as the blocks grow.
#include "stat/hurst/estimators.h"

#include <math.h>

#include "stat/hurst/hurst_bias.h"

#define SCALES 50
#define BLOCKS_MIN 10

// A measure of the spread of the means of blocks of m points, from a profile with that many blocks.
typedef double block_spread(const double *sums, size_t blocks, size_t m);

// Variance (divisor: the number of blocks, as Taqqu, Teverovsky and Willinger have it).
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

// Mean absolute deviation from the mean of the series.
static double block_deviation(const double *sums, size_t blocks, size_t m)
{
	double all = 0;

	for (size_t i = 0; i < blocks; i++)
		all += fabs(sums[(i + 1) * m] - sums[i * m]);
	return all / (double)blocks / (double)m;
}

void block_means_range(const struct estimate_options *options, size_t n, double *min, double *max)
{
	const double points = (double)n;

	*max = options->scale_max > 0 ? options->scale_max
				      : fmax(points / 128, fmin(points / 16, 128));
	*min = options->scale_min > 0 ? options->scale_min : fmax(1, 10 * fmin(1, *max / 128));
}

// Fills out's points: log10 of the spread over log10 m for SCALES block lengths of that range,
// evenly spaced in log m, unless options choose others. A point is fitted if it has BLOCKS_MIN
// blocks and a spread above 0.
static void block_means_points(const struct series_parts *series,
			       const struct estimate_options *options, block_spread *spread,
			       struct estimate *out)
{
	const size_t n = series->n;
	size_t scales[ESTIMATE_POINTS_MAX], count;
	double min, max;

	estimate_clear(out);
	block_means_range(options, n, &min, &max);
	count = estimate_scales(min, max, options->scales ? options->scales : SCALES, scales);
	for (size_t i = 0; i < count && scales[i] <= n / 2; i++) {
		struct estimate_point *point = &out->points[out->point_count++];
		const size_t blocks = n / scales[i];
		const double measured = spread(series->profile, blocks, scales[i]);

		point->scale = (double)scales[i];
		point->blocks = blocks;
		point->x = log10(point->scale);
		point->y = log10(measured);
		point->fitted = measured > 0 && blocks >= BLOCKS_MIN;
	}
}

// ---- aggregated variance
// Taqqu, Teverovsky and Willinger, Estimators for long-range dependence: an empirical study,
// Fractals 3 (1995) 785-798. Known values: white noise H = 1/2; the table of
// fractional Gaussian noise in tests/property/stat_hurst_test.c, where its bias is -.05 at H = .9
// and 10,000 points.

static enum tr_status aggregated_variance_run(const struct series_parts *series,
					      const struct estimate_options *options,
					      double *workspace, struct estimate *out,
					      struct tr_error *err)
{
	(void)workspace;
	block_means_points(series, options, block_variance, out);
	return hurst_bias_fit(out, 1, 0.5, &aggregated_variance_bias, series->n, options, err);
}

const struct estimator aggregated_variance = {
	.name = "aggvar",
	.title = "aggregated variance",
	.paper = "Taqqu, Teverovsky, Willinger 1995",
	.equation = "Var X^(m) ~ m^(2H - 2)",
	.x_label = "log10 block length",
	.y_label = "log10 variance of block means",
	.n_min = 256,
	.needs = PART_PROFILE,
	.run = aggregated_variance_run,
};

// ---- absolute moments
// Taqqu, Teverovsky and Willinger, Estimators for long-range dependence: an empirical study,
// Fractals 3 (1995) 785-798. Known values: for Gaussian series as aggregated variance;
// the table in tests/property/stat_hurst_test.c.

static enum tr_status absolute_moments_run(const struct series_parts *series,
					   const struct estimate_options *options,
					   double *workspace, struct estimate *out,
					   struct tr_error *err)
{
	(void)workspace;
	block_means_points(series, options, block_deviation, out);
	return hurst_bias_fit(out, 1, 1, &absolute_moments_bias, series->n, options, err);
}

const struct estimator absolute_moments = {
	.name = "absmom",
	.title = "absolute moments",
	.paper = "Taqqu, Teverovsky, Willinger 1995",
	.equation = "mean |X^(m) - mean X| ~ m^(H - 1)",
	.x_label = "log10 block length",
	.y_label = "log10 mean absolute deviation",
	.n_min = 256,
	.needs = PART_PROFILE,
	.run = absolute_moments_run,
};

// ---- differenced variance
// Teverovsky and Taqqu, Testing for long-range dependence in the presence of shifting means or a
// slowly declining trend, using a variance-type estimator, Journal of Time Series Analysis 18
// (1997) 279-304. Known values: the table in tests/property/stat_hurst_test.c.

// Replaces the variances by the differences to the next.
static void block_means_difference(struct estimate *out)
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

static enum tr_status differenced_variance_run(const struct series_parts *series,
					       const struct estimate_options *options,
					       double *workspace, struct estimate *out,
					       struct tr_error *err)
{
	(void)workspace;
	block_means_points(series, options, block_variance, out);
	block_means_difference(out);
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
	.run = differenced_variance_run,
};
