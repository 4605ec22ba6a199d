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
	if (from->n > 0 && (into->n == 0 || from->min < into->min))
		into->min = from->min;
	into->n += from->n;
	if (from->max > into->max)
		into->max = from->max;
	for (unsigned i = 0; i < QUANTILE_BUCKETS; i++)
		into->buckets[i] += from->buckets[i];
}

static uint64_t within(const struct quantile *quantile, uint64_t value)
{
	if (value < quantile->min)
		return quantile->min;
	return value < quantile->max ? value : quantile->max;
}

uint64_t quantile_get(const struct quantile *quantile, double p)
{
	const double wanted = ceil(p * (double)quantile->n);
	uint64_t below = 0;

	for (unsigned i = 0; i < QUANTILE_BUCKETS && quantile->n > 0; i++) {
		below += quantile->buckets[i];
		if (below > 0 && (double)below >= wanted)
			return within(quantile, value_of(i));
	}
	return quantile->max;
}

double quantile_share(const struct quantile *quantile, uint64_t value)
{
	uint64_t below = 0;

	for (unsigned i = 0; i <= bucket_of(value) && quantile->n > 0; i++)
		below += quantile->buckets[i];
	return quantile->n > 0 ? (double)below / (double)quantile->n : 0;
}
