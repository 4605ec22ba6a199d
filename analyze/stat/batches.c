// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/batches.h"

#include <math.h>

static void pair_up(struct batches *batches)
{
	batches->count /= 2;
	for (uint32_t i = 0; i < batches->count; i++)
		batches->sums[i] = batches->sums[2 * i] + batches->sums[2 * i + 1];
	batches->width *= 2;
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
		pair_up(batches);
}

double batches_mean(const struct batches *batches)
{
	return batches->n > 0 ? (double)batches->sum / (double)batches->n : NAN;
}

static struct moments moments_of(const struct batches *batches)
{
	struct moments moments = {0};

	for (uint32_t i = 0; i < batches->count; i++)
		moments_add(&moments, (int64_t)(batches->sums[i] / (__int128)batches->width));
	return moments;
}

struct interval batches_interval(const struct batches *batches, double level)
{
	const struct moments moments = moments_of(batches);

	return mean_interval(&moments, level);
}

double batches_correlation(const struct batches *batches)
{
	const struct moments moments = moments_of(batches);
	double before = 0, product = 0;

	if (batches->count < 8 || moments_deviations(&moments) <= 0)
		return NAN;
	for (uint32_t i = 0; i < batches->count; i++) {
		double at = (double)(int64_t)(batches->sums[i] / (__int128)batches->width) -
			    moments_mean(&moments);

		if (i > 0)
			product += before * at;
		before = at;
	}
	return product / moments_deviations(&moments);
}
