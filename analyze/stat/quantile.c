// SPDX-License-Identifier: GPL-3.0-or-later
// The bucket layout is that of Tene's HdrHistogram: a power of two is cut in 2^QUANTILE_BITS equal
// parts.
#include "stat/quantile.h"

#include <math.h>

#define PARTS (UINT64_C(1) << QUANTILE_BITS)

static unsigned bucket_of(uint64_t value)
{
	unsigned shift;

	if (value < PARTS)
		return (unsigned)value;
	shift = 63u - (unsigned)__builtin_clzll(value) - QUANTILE_BITS;
	return ((shift + 1) << QUANTILE_BITS) + (unsigned)((value >> shift) - PARTS);
}

// Middle of a bucket, rounded down.
static uint64_t value_of(unsigned bucket)
{
	unsigned shift;

	if (bucket < PARTS)
		return bucket;
	shift = (bucket >> QUANTILE_BITS) - 1;
	return ((PARTS + (bucket & (PARTS - 1))) << shift) + ((UINT64_C(1) << shift) >> 1);
}

void quantile_add(struct quantile *quantile, uint64_t value)
{
	if (quantile->n++ == 0 || value < quantile->min)
		quantile->min = value;
	if (value > quantile->max)
		quantile->max = value;
	quantile->buckets[bucket_of(value)]++;
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

// Buckets from the smallest value's to the largest's are looked at alone: the others are empty.
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
	while (walk->bucket <= last && quantile->n > 0 && !(walk->below > 0 && (double)walk->below >= wanted))
		walk->below += quantile->buckets[walk->bucket++];
	*share = share_below(walk);
	return walk->below > 0 && (double)walk->below >= wanted ? within(quantile, value_of(walk->bucket - 1)) : quantile->max;
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
