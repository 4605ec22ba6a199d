// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/log_histogram.h"

#include <math.h>

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
