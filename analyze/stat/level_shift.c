// SPDX-License-Identifier: GPL-3.0-or-later
// Horvath and Kokoszka, The effect of long-range dependence on change-point estimators, Journal of Statistical Planning
// and Inference 64 (1997) 57-81, theorem 2.1: the limit is the greatest absolute value of a fractional Brownian bridge.
// Its quantiles come from 40,000 sums of 8192 points of exact fractional Gaussian noise for each H; at H = .5
// Kolmogorov's are 1.224, 1.358 and 1.628 at 10, 5 and 1 %.
#include "stat/level_shift.h"

#include <math.h>

#include "stat/tabled_law.h"

#define ROWS 13

static const double row_h[ROWS] = {0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.99};
static const double rows[ROWS][TABLED_LAW_LEVELS] = {
	{1.3921, 1.6288, 1.8707, 2.0343, 2.1773, 2.3585, 2.4826, 2.7318},
	{1.0612, 1.2791, 1.5071, 1.6553, 1.7873, 1.9504, 2.073, 2.3183},
	{0.8276, 1.0192, 1.2239, 1.3581, 1.4802, 1.6276, 1.7308, 1.9495},
	{0.7229, 0.8995, 1.0936, 1.2215, 1.3319, 1.4763, 1.5653, 1.7599},
	{0.6346, 0.8008, 0.9763, 1.0966, 1.2055, 1.3345, 1.4292, 1.6019},
	{0.5551, 0.7092, 0.8754, 0.9839, 1.0831, 1.204, 1.285, 1.4485},
	{0.4819, 0.622, 0.7744, 0.8776, 0.9699, 1.0745, 1.1511, 1.304},
	{0.4152, 0.5428, 0.681, 0.7721, 0.8513, 0.951, 1.0182, 1.1797},
	{0.3498, 0.4638, 0.5834, 0.6626, 0.7331, 0.8227, 0.8882, 1.0039},
	{0.2874, 0.3832, 0.4874, 0.5579, 0.6232, 0.7018, 0.753, 0.8535},
	{0.2227, 0.299, 0.3832, 0.4388, 0.4892, 0.5515, 0.5943, 0.6704},
	{0.1493, 0.2039, 0.2627, 0.3005, 0.3355, 0.3779, 0.4073, 0.4604},
	{0.0648, 0.0889, 0.1153, 0.1326, 0.1486, 0.1676, 0.1795, 0.2069},
};

// Quantiles for an h between the rows, linear in it; outside those of the nearest row.
static void quantiles_for(double h, double quantiles[TABLED_LAW_LEVELS])
{
	double share;
	size_t i = 0;

	while (i + 2 < ROWS && row_h[i + 1] < h)
		i++;
	share = fmin(1, fmax(0, (h - row_h[i]) / (row_h[i + 1] - row_h[i])));
	for (size_t k = 0; k < TABLED_LAW_LEVELS; k++)
		quantiles[k] = (1 - share) * rows[i][k] + share * rows[i + 1][k];
}

static double statistic_of(double greatest, size_t n, const struct memory_scale *scale)
{
	return greatest / (scale->deviation * pow((double)n, scale->h));
}

double level_shift_p(double greatest, size_t n, const struct memory_scale *scale)
{
	double quantiles[TABLED_LAW_LEVELS];

	quantiles_for(scale->h, quantiles);
	return tabled_law_p(quantiles, statistic_of(greatest, n, scale));
}

double level_shift_spread_p(double greatest, size_t n, const struct memory_scale *scale)
{
	struct memory_scale nodes[MEMORY_SCALE_NODES];
	double weights[MEMORY_SCALE_NODES], p = 0;

	memory_scale_spread(scale, nodes, weights);
	for (size_t i = 0; i < MEMORY_SCALE_NODES; i++)
		p += weights[i] * level_shift_p(greatest, n, &nodes[i]);
	return p;
}

struct level_shift level_shift_test(const double *x, size_t n, const struct memory_scale *scale)
{
	const double count = (double)n;
	double mean = 0, sum = 0, greatest = 0;
	struct level_shift out = {1, NAN, NAN, NAN, NAN, NAN};

	for (size_t i = 0; i < n; i++)
		mean += x[i] / count;
	for (size_t i = 0; i + 1 < n; i++) {
		sum += x[i] - mean;
		if (fabs(sum) > fabs(greatest)) {
			greatest = sum;
			out.at = i + 1;
		}
	}
	out.before = mean + greatest / (double)out.at;
	out.after = mean - greatest / (double)(n - out.at);
	out.greatest = fabs(greatest);
	out.statistic = statistic_of(out.greatest, n, scale);
	out.p = level_shift_p(out.greatest, n, scale);
	return out;
}
