// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/block_means.h"

#include <math.h>

#define SCALES 50
#define BLOCKS_MIN 10

double block_variance(const double *sums, size_t blocks, size_t m)
{
	const double mean = sums[blocks * m] / (double)blocks;
	double squares = 0;

	for (size_t i = 0; i < blocks; i++) {
		const double deviation = sums[(i + 1) * m] - sums[i * m] - mean;

		squares += deviation * deviation;
	}
	return squares / (double)blocks / ((double)m * (double)m);
}

double block_deviation(const double *sums, size_t blocks, size_t m)
{
	double all = 0;

	for (size_t i = 0; i < blocks; i++)
		all += fabs(sums[(i + 1) * m] - sums[i * m]);
	return all / (double)blocks / (double)m;
}

void block_means_range(const struct estimate_options *options, size_t n, double *min, double *max)
{
	const double points = (double)n;

	*max = options->scale_max > 0 ? options->scale_max : fmax(points / 128, fmin(points / 16, 128));
	*min = options->scale_min > 0 ? options->scale_min : fmax(1, 10 * fmin(1, *max / 128));
}

void block_means_points(const struct series_parts *series, const struct estimate_options *options, block_spread *spread,
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
