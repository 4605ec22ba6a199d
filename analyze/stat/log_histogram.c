// SPDX-License-Identifier: GPL-3.0-or-later
// The layout is that of stat/quantile, which is Tene's HdrHistogram.
#include "stat/log_histogram.h"

#include <math.h>

#define PARTS (UINT64_C(1) << LOG_HISTOGRAM_BITS)

// Middle of a bucket, rounded down.
static uint64_t value_of(unsigned bucket)
{
	unsigned shift;

	if (bucket < PARTS)
		return bucket;
	shift = (bucket >> LOG_HISTOGRAM_BITS) - 1;
	return ((PARTS + (bucket & (PARTS - 1))) << shift) + ((UINT64_C(1) << shift) >> 1);
}

uint64_t log_histogram_upper(unsigned bucket)
{
	unsigned shift;

	if (bucket < PARTS)
		return bucket;
	shift = (bucket >> LOG_HISTOGRAM_BITS) - 1;
	return ((PARTS + (bucket & (PARTS - 1))) << shift) + ((UINT64_C(1) << shift) - 1);
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
		below += histogram->count[i];
		if ((double)below >= wanted)
			return value_of(i) < max ? value_of(i) : max;
	}
	return n > 0 ? max : 0;
}
