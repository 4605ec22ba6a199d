// SPDX-License-Identifier: GPL-3.0-or-later
// Compares two means, and ranks alternatives.
#include "stat/intervals/compare.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

// ---- two means
// Known answer: Jain 1991, example 13.6: six times each on two systems, means 5.31 and 5.64,
// variances 37.92 and 44.11: v = 11.921, and the interval of the difference at 90 % is (-6.92,
// 6.26).

void sample_sums_add(struct sample_sums *sums, double value)
{
	const double away = value - sums->mean;

	if (!isfinite(value))
		return;
	sums->n++;
	sums->mean += away / sums->n;
	sums->squares += away * (value - sums->mean);
}

struct sample sample_of_sums(const struct sample_sums *sums)
{
	return (struct sample){.mean = sums->n > 0 ? sums->mean : NAN,
			       .sd = sums->n > 1 ? sqrt(sums->squares / (sums->n - 1)) : NAN,
			       .n = sums->n};
}

struct interval sample_interval(const struct sample *sample, double level)
{
	double half;

	if (!(sample->n >= 2))
		return (struct interval){NAN, NAN};
	half = gsl_cdf_tdist_Pinv(0.5 + 0.5 * level, sample->n - 1) * sample->sd / sqrt(sample->n);
	return (struct interval){sample->mean - half, sample->mean + half};
}

static bool compare_inside(double mean, struct interval interval)
{
	return mean >= interval.lo && mean <= interval.hi;
}

static void test(const struct sample *a, const struct sample *b, double level,
		 struct comparison *out)
{
	const double u = a->sd * a->sd / a->n, v = b->sd * b->sd / b->n;
	const double se = sqrt(u + v);
	double half = 0;

	out->freedom = se > 0 ? (u + v) * (u + v) / (u * u / (a->n + 1) + v * v / (b->n + 1)) - 2
			      : INFINITY;
	if (se > 0)
		half = gsl_cdf_tdist_Pinv(0.5 + 0.5 * level, out->freedom) * se;
	out->interval = (struct interval){out->difference - half, out->difference + half};
}

struct comparison sample_compare(const struct sample *a, const struct sample *b, double level)
{
	const struct interval of_a = sample_interval(a, level), of_b = sample_interval(b, level);
	struct comparison out = {.difference = a->mean - b->mean};

	test(a, b, level, &out);
	if (of_a.hi < of_b.lo || of_b.hi < of_a.lo) {
		out.rule = COMPARE_DISJOINT;
		out.differ = true;
	} else if (compare_inside(a->mean, of_b) || compare_inside(b->mean, of_a)) {
		out.rule = COMPARE_INSIDE;
	} else {
		out.rule = COMPARE_T_TEST;
		out.differ = !compare_inside(0, out.interval);
	}
	return out;
}

struct interval sample_difference(const struct sample *a, const struct sample *b, double level)
{
	struct interval of_a = {a->mean, a->mean}, of_b = {b->mean, b->mean};

	if (a->n > 1 && b->n > 1)
		return sample_compare(a, b, level).interval;
	if (a->n > 1 || !(b->n > 1))
		of_a = sample_interval(a, level);
	if (b->n > 1)
		of_b = sample_interval(b, level);
	return (struct interval){of_a.lo - of_b.hi, of_a.hi - of_b.lo};
}

double sample_needed(const struct sample *sample, double level, double percent)
{
	return samples_needed(sample->mean, sample->sd, gsl_cdf_ugaussian_Pinv(0.5 + 0.5 * level),
			      percent);
}

double sample_attained(const struct sample *sample, double percent)
{
	const double t = percent * fabs(sample->mean) * sqrt(sample->n) / (100 * sample->sd);

	return sample->n >= 2 ? 2 * gsl_cdf_tdist_P(t, sample->n - 1) - 1 : NAN;
}

// ---- scores

static bool compare_before(const struct ranking *ranking, size_t a, size_t b)
{
	double x = ranking->means[a], y = ranking->means[b];

	if (x != y)
		return ranking->lower ? x < y : x > y;
	return a < b;
}

static void sort(const struct ranking *ranking, size_t *order)
{
	for (size_t i = 0; i < ranking->count; i++) {
		size_t at = i;

		for (; at > 0 && compare_before(ranking, i, order[at - 1]); at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

void scores_rank(const struct ranking *ranking, double *scores, size_t *order)
{
	const size_t count = ranking->count;
	size_t end;

	sort(ranking, order);
	for (size_t begin = 0; begin < count; begin = end) {
		for (end = begin + 1;
		     end < count && !ranking->differ(ranking->context, order[begin], order[end]);)
			end++;
		// Places count - begin down to count - end + 1, shared.
		for (size_t i = begin; i < end; i++)
			scores[order[i]] = ((double)(count - begin) + (double)(count - end + 1)) /
					   2;
	}
}

struct score_means scores_means(const double *scores, const double *weights, size_t blocks)
{
	const double n = (double)blocks;
	double sum = 0, weighted = 0, weight = 0;

	for (size_t i = 0; i < blocks; i++) {
		sum += scores[i];
		weighted += weights[i] * scores[i];
		weight += weights[i];
	}
	return (struct score_means){sum / n, weighted / weight, weighted / (n * n)};
}
