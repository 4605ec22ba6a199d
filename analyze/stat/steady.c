// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/steady.h"

#include <math.h>

#include "stat/batches.h"

#define LEAST 20u

static void pair_up(struct steady *steady)
{
	steady->count /= 2;
	for (uint32_t i = 0; i < steady->count; i++)
		steady->sums[i] = steady->sums[2 * i] + steady->sums[2 * i + 1];
	steady->width *= 2;
}

void steady_add(struct steady *steady, int64_t value)
{
	if (steady->width == 0)
		steady->width = STEADY_FIRST_WIDTH;
	steady->n++;
	steady->open_sum += value;
	if (++steady->open < steady->width)
		return;
	steady->sums[steady->count++] = steady->open_sum;
	steady->open_sum = 0;
	steady->open = 0;
	if (steady->count == STEADY_BATCHES)
		pair_up(steady);
}

static double mean_of(const struct steady *steady, uint32_t batch)
{
	return (double)steady->sums[batch] / (double)steady->width;
}

// The sums over what follows are made from the end; values are taken from the last batch's so that
// squares lose nothing to cancellation.
uint64_t steady_begin(const struct steady *steady, bool *settled)
{
	double sum = 0, squares = 0, least = INFINITY;
	uint32_t best = 0, best_half = 0;
	double least_half = INFINITY;

	*settled = false;
	if (steady->count < LEAST)
		return 0;
	for (uint32_t i = steady->count; i-- > 0;) {
		double x = mean_of(steady, i) - mean_of(steady, steady->count - 1);
		double n = steady->count - i;

		sum += x;
		squares += x * x;
		if (n < STEADY_FIRST_WIDTH) // the last few happen to be alike
			continue;
		double error = (squares - sum * sum / n) / (n * n);

		if (error <= least) {
			least = error;
			best = i;
		}
		if (i <= steady->count / 2 && error <= least_half) {
			least_half = error;
			best_half = i;
		}
	}
	*settled = best <= steady->count / 2;
	return best_half * steady->width;
}

struct steady_mean steady_mean(const struct steady *steady, uint64_t skip, double level)
{
	struct batches batches = {0};
	struct steady_mean known;
	__int128 sum = 0;

	for (uint32_t i = 0; i < steady->count; i++) {
		if (i * steady->width < skip)
			continue;
		sum += steady->sums[i];
		batches_add(&batches, (int64_t)(steady->sums[i] / (__int128)steady->width));
	}
	known.n = batches.n * steady->width;
	known.mean = known.n > 0 ? (double)sum / (double)known.n : NAN;
	known.interval = batches_interval(&batches, level);
	known.correlated = batches_correlate(&batches);
	return known;
}

// Sum of the batches after the first skip samples.
static double sum_from(const struct steady *steady, uint64_t skip)
{
	__int128 sum = 0;

	for (uint32_t i = 0; i < steady->count; i++)
		if (i * steady->width >= skip)
			sum += steady->sums[i];
	return (double)sum;
}

struct steady_mean steady_ratio(const struct steady *over, const struct steady *under, uint64_t skip, double level)
{
	const double below = sum_from(under, skip);
	struct steady_mean known = {.mean = sum_from(over, skip) / below};
	struct batches residuals = {0};
	struct interval interval;
	double half;

	for (uint32_t i = 0; i < over->count; i++)
		if (i * over->width >= skip)
			batches_add(&residuals, (int64_t)llround(mean_of(over, i) - known.mean * mean_of(under, i)));
	known.n = residuals.n * over->width;
	interval = batches_interval(&residuals, level);
	half = (interval.hi - interval.lo) / 2 * (double)known.n / below;
	known.interval = (struct interval){known.mean - half, known.mean + half};
	known.correlated = batches_correlate(&residuals);
	return known;
}
