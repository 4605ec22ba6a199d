// SPDX-License-Identifier: GPL-3.0-or-later
// The mean of correlated samples.
#include "stat/intervals/batches.h"

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

// Adds samples that fit into the open batch, by their sum.
static inline void batches_take(struct batches *batches, uint64_t count, __int128 sum)
{
	batches->n += count;
	batches->sum += sum;
	batches->open_sum += sum;
	batches->open += count;
	if (batches->open < batches->width)
		return;
	batches->sums[batches->count++] = batches->open_sum;
	batches->open_sum = 0;
	batches->open = 0;
	if (batches->count == BATCHES_MAX)
		pair_up(batches->sums, &batches->count, &batches->width);
}

// How many of so many samples fit into the open batch.
static inline uint64_t batches_room(struct batches *batches, uint64_t count)
{
	if (batches->width == 0)
		batches->width = 1;
	return count < batches->width - batches->open ? count : batches->width - batches->open;
}

void batches_add(struct batches *batches, int64_t value)
{
	batches_take(batches, batches_room(batches, 1), value);
}

void batches_add_repeated(struct batches *batches, int64_t value, uint64_t times)
{
	while (times > 0) {
		const uint64_t taken = batches_room(batches, times);

		batches_take(batches, taken, (__int128)value * taken);
		times -= taken;
	}
}

void batches_add_series(struct batches *batches, const __int128 *sums, uint64_t count,
			uint64_t times)
{
	uint64_t at = 0; // in the series

	for (uint64_t left = count * times; left > 0;) {
		const uint64_t taken = batches_room(batches, left), end = at + taken;

		batches_take(batches, taken,
			     (__int128)(end / count) * sums[count] + sums[end % count] - sums[at]);
		at = end % count;
		left -= taken;
	}
}

double batches_mean(const struct batches *batches)
{
	return batches->n > 0 ? (double)batches->sum / (double)batches->n : NAN;
}

struct known_mean batches_known(const struct batches *batches, double level)
{
	double means[BATCHES_MAX];
	struct known_mean known = {.mean = batches_mean(batches), .n = batches->n};

	for (uint32_t i = 0; i < batches->count; i++)
		means[i] = (double)batches->sums[i] / (double)batches->width;
	known.error = mean_error_find(means, batches->count, level);
	known.interval = mean_error_interval(known.mean, &known.error, level, 0);
	return known;
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

static double batches_mean_of(const struct steady *steady, uint32_t batch)
{
	return (double)steady->sums[batch] / (double)steady->width;
}

// The sums over the rest are built from the end; the last batch's value is subtracted so that
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
		double x = batches_mean_of(steady, i) - batches_mean_of(steady, steady->count - 1);
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

// The means of the batches after the first skip samples; returns how many.
static size_t values_from(const struct steady *steady, uint64_t skip, double values[STEADY_BATCHES])
{
	size_t count = 0;

	for (uint32_t i = 0; i < steady->count; i++)
		if (i * steady->width >= skip)
			values[count++] = batches_mean_of(steady, i);
	return count;
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

struct known_mean steady_mean(const struct steady *steady, uint64_t skip, double level)
{
	double values[STEADY_BATCHES];
	const size_t count = values_from(steady, skip, values);
	struct known_mean known = {.n = count * steady->width};

	known.mean = known.n > 0 ? sum_from(steady, skip) / (double)known.n : NAN;
	known.error = mean_error_find(values, count, level);
	known.interval = mean_error_interval(known.mean, &known.error, level, 0);
	return known;
}

struct known_mean steady_ratio(const struct steady *over, const struct steady *under, uint64_t skip,
			       double level)
{
	double values[STEADY_BATCHES], below[STEADY_BATCHES];
	const size_t count = values_from(over, skip, values);
	const double sum = sum_from(under, skip);
	struct known_mean known = {.mean = sum_from(over, skip) / sum, .n = count * over->width};

	values_from(under, skip, below);
	for (size_t i = 0; i < count; i++)
		values[i] -= known.mean * below[i];
	known.error = mean_error_find(values, count, level);
	known.error.se *= (double)known.n / sum;
	known.interval = mean_error_interval(known.mean, &known.error, level, 0);
	return known;
}
