// SPDX-License-Identifier: GPL-3.0-or-later
// Higuchi, Approach to an irregular time series on the basis of the fractal theory, Physica D 31
// (1988) 277-283. Known values: the table in tests/property/stat_hurst_test.c.
#include "stat/hurst/estimators.h"

#include <math.h>

#include "stat/hurst/hurst_bias.h"

#define SCALES 40

// Sum of the steps of k points that begin at profile[0 .. count - 1].
static double steps_length(const double *profile, size_t count, size_t k)
{
	double length = 0;

	for (size_t i = 0; i < count; i++)
		length += fabs(profile[i + k] - profile[i]);
	return length;
}

// Mean over the k starts of the normalised length of the profile's points start, start + k, ...
// Starts up to (points - 1) % k have one step more than the later ones; they are processed row by
// row.
static double curve_length(const double *profile, size_t points, size_t k)
{
	const size_t steps = (points - 1) / k, longer = (points - 1) % k + 1;
	double first = 0, others = 0;

	for (size_t row = 0; row < steps; row++) {
		first += steps_length(profile + row * k, longer, k);
		if (row + 1 < steps)
			others += steps_length(profile + row * k + longer, k - longer, k);
	}
	first /= (double)steps;
	if (steps > 1)
		others /= (double)(steps - 1);
	return (first + others) * (double)(points - 1) / pow((double)k, 3);
}

static enum tr_status higuchi_run(const struct series_parts *series,
				  const struct estimate_options *options, double *workspace,
				  struct estimate *out, struct tr_error *err)
{
	const size_t n = series->n;
	const double min = options->scale_min > 0 ? options->scale_min : 1;
	const double max = options->scale_max > 0 ? options->scale_max : (double)n / 10;
	size_t scales[ESTIMATE_POINTS_MAX], count;

	(void)workspace;
	estimate_clear(out);
	count = estimate_scales(min, max, options->scales ? options->scales : SCALES, scales);
	for (size_t i = 0; i < count && scales[i] <= n / 2; i++) {
		struct estimate_point *point = &out->points[out->point_count++];
		const double length = curve_length(series->profile + 1, n, scales[i]);

		point->scale = (double)scales[i];
		point->blocks = n / scales[i];
		point->x = log10(point->scale);
		point->y = log10(length);
		point->fitted = length > 0;
	}
	return hurst_bias_fit(out, 2, 1, &higuchi_bias, n, options, err);
}

const struct estimator higuchi = {
	.name = "higuchi",
	.title = "Higuchi's curve length",
	.paper = "Higuchi 1988",
	.equation = "L(m) = (n - 1)/m^3 sum_(i<=m) 1/[(n - i)/m] sum_k |Y(i + km) - Y(i + (k-1)m)| "
		    "~ m^(H - 2)",
	.x_label = "log10 step",
	.y_label = "log10 length of the profile",
	.n_min = 256,
	.needs = PART_PROFILE,
	.run = higuchi_run,
};
