// SPDX-License-Identifier: GPL-3.0-or-later
// Intervals: Kovacs, Buehlmann, Li and Munk, Seeded binary segmentation, Biometrika 110 (2023) 249-256, with decay 1/2; the
// narrowest first: Baranowski, Chen and Fryzlewicz, Journal of the Royal Statistical Society B 81 (2019) 649-672. Two
// differences: the threshold is not a constant, but each interval's probability under the series' own memory
// (stat/level_shift.h), times the intervals of its length and the lengths; and in the end every change must show between its
// neighbours.
#include "stat/change_points.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "stat/level_shift.h"
#include "stat/verdict.h"

#define LENGTHS_MAX 6
#define POINTS_MIN 64

static size_t lengths_for(size_t n)
{
	size_t lengths = 1;

	while (lengths < LENGTHS_MAX && n >> lengths >= POINTS_MIN)
		lengths++;
	return lengths;
}

// Interval i of 2^(depth + 1) - 1, each as long as n / 2^depth and half a length after the one before.
static void interval_at(size_t n, size_t depth, size_t i, size_t *begin, size_t *end)
{
	*begin = (n >> (depth + 1)) * i;
	*end = depth == 0 ? n : *begin + (n >> depth);
}

static double joint_p(const double *y, size_t begin, size_t end, size_t depth, size_t lengths, const struct memory_scale *scale)
{
	const struct level_shift shift = level_shift_test(y + begin, end - begin, scale);

	return level_shift_spread_p(shift.greatest, end - begin, scale) * (double)lengths * (double)(((size_t)2 << depth) - 1);
}

// Where one change of the mean in between leaves the least sum of squares.
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

struct search {
	const double *y;
	size_t n, lengths;
	const struct memory_scale *scale;
	double p[((size_t)2 << LENGTHS_MAX)]; // joint, of all intervals, the long ones first
	struct change_points *out;
};

static double search_p(const struct search *search, size_t depth, size_t i)
{
	return search->p[((size_t)2 << depth) - 2 - depth + i];
}

static void test_intervals(struct search *search)
{
	size_t at = 0;

	search->out->p = 1;
	for (size_t depth = 0; depth < search->lengths; depth++)
		for (size_t i = 0; i + 1 < (size_t)2 << depth; i++, at++) {
			size_t begin, end;

			interval_at(search->n, depth, i, &begin, &end);
			search->p[at] = joint_p(search->y, begin, end, depth, search->lengths, search->scale);
			search->out->p = fmin(search->out->p, search->p[at]);
		}
}

static size_t narrowest_split(const struct search *search, size_t first, size_t last)
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

// Adds the changes between first and last in their order; each call splits at one, so the depth is that of their number.
static void search_between(struct search *search, size_t first, size_t last) // NOLINT(misc-no-recursion)
{
	const size_t split = search->out->count < CHANGE_POINTS_MAX ? narrowest_split(search, first, last) : 0;

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

// Removes the one that shows the least between its neighbours, where it does not show. Returns whether there was one.
static bool prune(const double *y, size_t n, const struct memory_scale *scale, struct change_points *out)
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
	memmove(&out->points[weakest], &out->points[weakest + 1], (--out->count - weakest) * sizeof(*out->points));
	return true;
}

static double mean_between(const double *x, size_t begin, size_t end)
{
	double mean = 0;

	for (size_t i = begin; i < end; i++)
		mean += x[i] / (double)(end - begin);
	return mean;
}

void change_points_find(const double *x, const double *y, size_t n, const struct memory_scale *scale, struct change_points *out)
{
	struct search search = {.y = y, .n = n, .lengths = lengths_for(n), .scale = scale, .out = out};

	*out = (struct change_points){.p = NAN};
	if (n < CHANGE_POINTS_MIN)
		return;
	test_intervals(&search);
	search_between(&search, 0, n);
	do
		place(y, n, out);
	while (prune(y, n, scale, out));
	for (size_t i = 0; i < out->count; i++) {
		out->points[i].before = mean_between(x, begin_of(out, i), out->points[i].at);
		out->points[i].after = mean_between(x, out->points[i].at, end_of(out, i, n));
	}
}
