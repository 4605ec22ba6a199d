// SPDX-License-Identifier: GPL-3.0-or-later
// The mean of correlated samples.
#include "stat/batches.h"

#include <math.h>

// ---- batch means

// Joins batches in pairs.
static void pair_up(__int128 *sums, uint32_t *count, uint64_t *width)
{
	*count /= 2;
	for (uint32_t i = 0; i < *count; i++)
		sums[i] = sums[2 * i] + sums[2 * i + 1];
	*width *= 2;
}

void batches_add(struct batches *batches, int64_t value)
{
	if (batches->width == 0)
		batches->width = 1;
	batches->n++;
	batches->sum += value;
	batches->open_sum += value;
	if (++batches->open < batches->width)
		return;
	batches->sums[batches->count++] = batches->open_sum;
	batches->open_sum = 0;
	batches->open = 0;
	if (batches->count == BATCHES_MAX)
		pair_up(batches->sums, &batches->count, &batches->width);
}

void batches_add_repeated(struct batches *batches, int64_t value, uint64_t times)
{
	if (batches->width == 0)
		batches->width = 1;
	while (times > 0) {
		const uint64_t room = batches->width - batches->open, taken = (times < room ? times : room) - 1;

		// All but the last one that fits; the last may fill the batch.
		batches->n += taken;
		batches->open += taken;
		batches->sum += (__int128)value * taken;
		batches->open_sum += (__int128)value * taken;
		batches_add(batches, value);
		times -= taken + 1;
	}
}

double batches_mean(const struct batches *batches)
{
	return batches->n > 0 ? (double)batches->sum / (double)batches->n : NAN;
}

// Batches whose means are taken as independent.
struct cut {
	int64_t means[BATCHES_MAX];
	uint32_t count;
};

static struct moments moments_of(const struct cut *cut)
{
	struct moments moments = {0};

	for (uint32_t i = 0; i < cut->count; i++)
		moments_add(&moments, cut->means[i]);
	return moments;
}

static double correlation_of(const struct cut *cut)
{
	const struct moments moments = moments_of(cut);
	double product = 0;

	if (cut->count < BATCHES_LEAST || moments_deviations(&moments) <= 0)
		return NAN;
	for (uint32_t i = 1; i < cut->count; i++)
		product += ((double)cut->means[i - 1] - moments_mean(&moments)) *
			   ((double)cut->means[i] - moments_mean(&moments));
	return product / moments_deviations(&moments);
}

// The whole batches, joining neighbours while they correlate and enough are left.
static struct cut cut_up(const struct batches *batches)
{
	struct batches joined = *batches;
	struct cut cut;

	for (;; pair_up(joined.sums, &joined.count, &joined.width)) {
		cut.count = joined.count;
		for (uint32_t i = 0; i < joined.count; i++)
			cut.means[i] = (int64_t)(joined.sums[i] / (__int128)joined.width);
		if (joined.count < 2 * BATCHES_LEAST || !(correlation_of(&cut) > 2 / sqrt(joined.count)))
			return cut;
	}
}

struct moments batches_means(const struct batches *batches)
{
	const struct cut cut = cut_up(batches);

	return moments_of(&cut);
}

struct interval batches_interval(const struct batches *batches, double level)
{
	const struct cut cut = cut_up(batches);
	const struct moments moments = moments_of(&cut);

	return mean_interval(&moments, level);
}

bool batches_correlate(const struct batches *batches)
{
	const struct cut cut = cut_up(batches);

	return correlation_of(&cut) > 2 / sqrt(cut.count);
}

// ---- the steady part

#define LEAST 20u

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
		pair_up(steady->sums, &steady->count, &steady->width);
}

static double mean_of(const struct steady *steady, uint32_t batch)
{
	return (double)steady->sums[batch] / (double)steady->width;
}

// The sums over the rest are built from the end; the last batch's value is subtracted so that squares
// lose nothing to cancellation.
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
		if (n < STEADY_FIRST_WIDTH) // the last few may be equal by chance
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
