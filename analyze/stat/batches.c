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

void batches_add_repeated(struct batches *batches, int64_t value, uint64_t times)
{
	if (batches->width == 0)
		batches->width = 1;
	while (times > 0) {
		const uint64_t room = batches->width - batches->open, taken = (times < room ? times : room) - 1;

		// All but the last of what fits; the last may fill the batch.
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

// Batches whose means may be taken for independent.
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

// The whole batches, neighbours joined as often as they correlate and enough are left.
static struct cut cut_up(const struct batches *batches)
{
	struct batches joined = *batches;
	struct cut cut;

	for (;; pair_up(&joined)) {
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
