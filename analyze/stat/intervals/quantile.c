// SPDX-License-Identifier: GPL-3.0-or-later
// Histograms whose buckets grow with the value.
#include "stat/intervals/quantile.h"

#include <math.h>
#include <string.h>

uint64_t log_histogram_upper(unsigned bucket)
{
	uint64_t width, first = log_bucket_first(bucket, LOG_HISTOGRAM_BITS, &width);

	return first + width - 1;
}

void log_histogram_merge(struct log_histogram *into, const struct log_histogram *from)
{
	for (unsigned i = 0; i < LOG_HISTOGRAM_BUCKETS; i++)
		into->count[i] += from->count[i];
}

uint64_t log_histogram_quantile(const struct log_histogram *histogram, double p, uint64_t max)
{
	int64_t n = 0, below = 0;
	double wanted;

	for (unsigned i = 0; i < LOG_HISTOGRAM_BUCKETS; i++)
		n += histogram->count[i];
	wanted = fmax(ceil(p * (double)n), 1);
	for (unsigned i = 0; i < LOG_HISTOGRAM_BUCKETS && n > 0; i++) {
		const uint64_t middle = log_bucket_middle(i, LOG_HISTOGRAM_BITS);

		below += histogram->count[i];
		if ((double)below >= wanted)
			return middle < max ? middle : max;
	}
	return n > 0 ? max : 0;
}

static unsigned bucket_of(uint64_t value)
{
	return log_bucket_of(value, QUANTILE_BITS);
}

void quantile_clear(struct quantile *quantile)
{
	const unsigned first = bucket_of(quantile->min), last = bucket_of(quantile->max);

	if (quantile->n > 0)
		memset(quantile->buckets + first, 0,
		       (last + 1 - first) * sizeof(*quantile->buckets));
	quantile->n = quantile->min = quantile->max = 0;
}

void quantile_merge(struct quantile *into, const struct quantile *from)
{
	if (from->n == 0)
		return;
	if (into->n == 0 || from->min < into->min)
		into->min = from->min;
	into->n += from->n;
	if (from->max > into->max)
		into->max = from->max;
	for (unsigned i = bucket_of(from->min), last = bucket_of(from->max); i <= last; i++)
		into->buckets[i] += from->buckets[i];
}

static uint64_t within(const struct quantile *quantile, uint64_t value)
{
	if (value < quantile->min)
		return quantile->min;
	return value < quantile->max ? value : quantile->max;
}

static double share_below(const struct quantile_walk *walk)
{
	return walk->of->n > 0 ? (double)walk->below / (double)walk->of->n : 0;
}

// Visits only buckets from the smallest value's to the largest's: the others are empty.
static void step_over_empty(struct quantile_walk *walk)
{
	const unsigned first = bucket_of(walk->of->min);

	if (walk->bucket < first)
		walk->bucket = first;
}

uint64_t quantile_walk_to(struct quantile_walk *walk, double p, double *share)
{
	const struct quantile *quantile = walk->of;
	const double wanted = ceil(p * (double)quantile->n);
	const unsigned last = bucket_of(quantile->max);

	step_over_empty(walk);
	while (walk->bucket <= last && quantile->n > 0 &&
	       !(walk->below > 0 && (double)walk->below >= wanted))
		walk->below += quantile->buckets[walk->bucket++];
	*share = share_below(walk);
	return walk->below > 0 && (double)walk->below >= wanted
		       ? within(quantile, log_bucket_middle(walk->bucket - 1, QUANTILE_BITS))
		       : quantile->max;
}

double quantile_walk_share(struct quantile_walk *walk, uint64_t value)
{
	const unsigned last = bucket_of(value < walk->of->max ? value : walk->of->max);

	step_over_empty(walk);
	while (walk->bucket <= last && walk->of->n > 0)
		walk->below += walk->of->buckets[walk->bucket++];
	return share_below(walk);
}

uint64_t quantile_get(const struct quantile *quantile, double p)
{
	struct quantile_walk walk = {.of = quantile};
	double share;

	return quantile_walk_to(&walk, p, &share);
}

double quantile_share(const struct quantile *quantile, uint64_t value)
{
	struct quantile_walk walk = {.of = quantile};

	return quantile_walk_share(&walk, value);
}
