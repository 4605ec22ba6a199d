// SPDX-License-Identifier: GPL-3.0-or-later
// Whether and where the level of a series changes.
#include "stat/tests/level_shift.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "stat/intervals/verdict.h"
#include "stat/spectra/cholesky.h"

// ---- one shift
// Horvath and Kokoszka, The effect of long-range dependence on change-point estimators, Journal of
// Statistical Planning and Inference 64 (1997) 57-81: the limit is the greatest absolute value of a
// fractional Brownian bridge.
// Its quantiles come from 40,000 sums of 8192 points of exact fractional Gaussian noise for each H;
// at H = .5 Kolmogorov's are 1.224, 1.358 and 1.628 at 10, 5 and 1 %.

#define ROWS 13

static const double row_h[ROWS] = {0.3,	 0.4, 0.5,  0.55, 0.6,	0.65, 0.7,
				   0.75, 0.8, 0.85, 0.9,  0.95, 0.99};
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

// The p of a greatest partial sum of n points.
static double level_shift_p(double greatest, size_t n, const struct memory_scale *scale)
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

// ---- several
// Intervals: Kovacs, Buehlmann, Li and Munk, Seeded binary segmentation, Biometrika 110 (2023)
// 249-256, with decay 1/2; the narrowest first: Baranowski, Chen and Fryzlewicz, Journal of the
// Royal Statistical Society B 81 (2019) 649-672. Two differences: the threshold is not a constant,
// but each interval's probability under the series' own memory (level_shift_p), times the number of
// intervals of its length and of lengths; and in the end every change must be significant between
// its neighbours.

#define LENGTHS_MAX 6
#define POINTS_MIN 64

static size_t lengths_for(size_t n)
{
	size_t lengths = 1;

	while (lengths < LENGTHS_MAX && n >> lengths >= POINTS_MIN)
		lengths++;
	return lengths;
}

// Interval i of 2^(depth + 1) - 1, each n / 2^depth long and half a length after the previous one.
static void interval_at(size_t n, size_t depth, size_t i, size_t *begin, size_t *end)
{
	*begin = (n >> (depth + 1)) * i;
	*end = depth == 0 ? n : *begin + (n >> depth);
}

static double level_shift_joint_p(const double *y, size_t begin, size_t end, size_t depth,
				  size_t lengths, const struct memory_scale *scale)
{
	const struct level_shift shift = level_shift_test(y + begin, end - begin, scale);

	return level_shift_spread_p(shift.greatest, end - begin, scale) * (double)lengths *
	       (double)(((size_t)2 << depth) - 1);
}

// The split at which two means leave the least sum of squares.
static size_t best_split(const double *y, size_t begin, size_t end)
{
	const double count = (double)(end - begin);
	double mean = 0, sum = 0, greatest = -1;
	size_t best = begin + 1;

	for (size_t i = begin; i < end; i++)
		mean += y[i] / count;
	for (size_t i = begin; i + 1 < end; i++) {
		const double left = (double)(i + 1 - begin);

		sum += y[i] - mean;
		if (sum * sum / (left * (count - left)) > greatest) {
			greatest = sum * sum / (left * (count - left));
			best = i + 1;
		}
	}
	return best;
}

// ---- search

struct level_shift_search {
	const double *y;
	size_t n, lengths;
	const struct memory_scale *scale;
	double p[((size_t)2 << LENGTHS_MAX)]; // joint, of all intervals, the long ones first
	struct change_points *out;
};

static double search_p(const struct level_shift_search *search, size_t depth, size_t i)
{
	return search->p[((size_t)2 << depth) - 2 - depth + i];
}

static void test_intervals(struct level_shift_search *search)
{
	size_t at = 0;

	search->out->p = 1;
	for (size_t depth = 0; depth < search->lengths; depth++)
		for (size_t i = 0; i + 1 < (size_t)2 << depth; i++, at++) {
			size_t begin, end;

			interval_at(search->n, depth, i, &begin, &end);
			search->p[at] = level_shift_joint_p(search->y, begin, end, depth,
							    search->lengths, search->scale);
			search->out->p = fmin(search->out->p, search->p[at]);
		}
}

static size_t narrowest_split(const struct level_shift_search *search, size_t first, size_t last)
{
	for (size_t depth = search->lengths; depth-- > 0;) {
		double least = VERDICT_LEVEL;
		size_t split = 0;

		for (size_t i = 0; i + 1 < (size_t)2 << depth; i++) {
			size_t begin, end;

			interval_at(search->n, depth, i, &begin, &end);
			if (begin < first || end > last || !(search_p(search, depth, i) < least))
				continue;
			least = search_p(search, depth, i);
			split = best_split(search->y, begin, end);
		}
		if (split > 0)
			return split;
	}
	return 0;
}

// Adds the changes between first and last in order; each call splits at one, which bounds the depth
// by their number.
static void search_between(struct level_shift_search *search, size_t first,
			   size_t last) // NOLINT(misc-no-recursion)
{
	const size_t split = search->out->count < CHANGE_POINTS_MAX
				     ? narrowest_split(search, first, last)
				     : 0;

	if (split == 0)
		return;
	search_between(search, first, split);
	if (search->out->count < CHANGE_POINTS_MAX)
		search->out->points[search->out->count++].at = split;
	search_between(search, split, last);
}

// ---- the changes that were found

static size_t begin_of(const struct change_points *out, size_t i)
{
	return i > 0 ? out->points[i - 1].at : 0;
}

static size_t end_of(const struct change_points *out, size_t i, size_t n)
{
	return i + 1 < out->count ? out->points[i + 1].at : n;
}

static void place(const double *y, size_t n, struct change_points *out)
{
	for (size_t i = 0; i < out->count; i++)
		out->points[i].at = best_split(y, begin_of(out, i), end_of(out, i, n));
}

// Removes the least significant change if it is not significant between its neighbours. Returns
// whether there was one.
static bool prune(const double *y, size_t n, const struct memory_scale *scale,
		  struct change_points *out)
{
	size_t weakest = 0;

	for (size_t i = 0; i < out->count; i++) {
		const size_t begin = begin_of(out, i), end = end_of(out, i, n);
		const struct level_shift shift = level_shift_test(y + begin, end - begin, scale);

		out->points[i].p = level_shift_spread_p(shift.greatest, end - begin, scale);
		if (out->points[i].p > out->points[weakest].p)
			weakest = i;
	}
	if (out->count == 0 || out->points[weakest].p < VERDICT_LEVEL)
		return false;
	memmove(&out->points[weakest], &out->points[weakest + 1],
		(--out->count - weakest) * sizeof(*out->points));
	return true;
}

static double level_shift_mean_between(const double *x, size_t begin, size_t end)
{
	double mean = 0;

	for (size_t i = begin; i < end; i++)
		mean += x[i] / (double)(end - begin);
	return mean;
}

void change_points_find(const double *x, const double *y, size_t n,
			const struct memory_scale *scale, struct change_points *out)
{
	struct level_shift_search search = {
		.y = y, .n = n, .lengths = lengths_for(n), .scale = scale, .out = out};

	*out = (struct change_points){.p = NAN};
	if (n < CHANGE_POINTS_MIN)
		return;
	test_intervals(&search);
	search_between(&search, 0, n);
	do
		place(y, n, out);
	while (prune(y, n, scale, out));
	for (size_t i = 0; i < out->count; i++) {
		out->points[i].before = level_shift_mean_between(x, begin_of(out, i),
								 out->points[i].at);
		out->points[i].after = level_shift_mean_between(x, out->points[i].at,
								end_of(out, i, n));
	}
}

// ---- means of segments
// Generalised least squares of one level; the sums' covariance is that of fractional Gaussian
// noise, to which the sums of any such series tend (Taqqu, Zeitschrift fuer
// Wahrscheinlichkeitstheorie 31 (1975) 287-302). Known value: two segments of white noise give the
// square of the usual z.

// Covariance of the sums of unit segments apart segments from each other.
static double level_shift_covariance(double h, size_t apart)
{
	const double k = (double)apart;

	return 0.5 * (pow(k + 1, 2 * h) - 2 * pow(k, 2 * h) + pow(fabs(k - 1), 2 * h));
}

struct segment_means segment_means_test(const double *x, size_t n, size_t segments,
					const struct memory_scale *scale)
{
	double l[SEGMENT_MEANS_MAX][SEGMENT_MEANS_MAX], v[SEGMENT_MEANS_MAX],
		ones[SEGMENT_MEANS_MAX];
	const size_t length = n / segments;
	const double deviation = scale->deviation * pow((double)length, scale->h - 1);
	struct segment_means out = {.segments = segments};
	double squares = 0, products = 0, norm = 0;

	for (size_t s = 0; s < segments; s++) {
		for (size_t i = 0; i < length; i++)
			out.means[s] += x[s * length + i] / (double)length;
		v[s] = (out.means[s] - out.means[0]) / deviation;
		ones[s] = 1;
	}
	for (size_t i = 0; i < segments; i++)
		for (size_t j = 0; j <= i; j++)
			l[i][j] = level_shift_covariance(scale->h, i - j);
	cholesky_factor(l[0], SEGMENT_MEANS_MAX, segments, -INFINITY);
	cholesky_forward(l[0], SEGMENT_MEANS_MAX, segments, v);
	cholesky_forward(l[0], SEGMENT_MEANS_MAX, segments, ones);
	for (size_t s = 0; s < segments; s++) {
		squares += v[s] * v[s];
		products += v[s] * ones[s];
		norm += ones[s] * ones[s];
	}
	out.statistic = fmax(0, squares - products * products / norm);
	out.p = gsl_sf_gamma_inc_Q((double)(segments - 1) / 2, out.statistic / 2);
	return out;
}
