// SPDX-License-Identifier: GPL-3.0-or-later
// A histogram whose buckets grow with the value: exact below 2^LOG_HISTOGRAM_BITS, above it a power of
// two is cut in 2^LOG_HISTOGRAM_BITS equal parts, so that the middle of a bucket is off by at most 1
// in 2^(LOG_HISTOGRAM_BITS + 1) (3.2 %). An eighth of what stat/quantile takes, for many at once.
#ifndef STAT_LOG_HISTOGRAM_H
#define STAT_LOG_HISTOGRAM_H

#include <stdint.h>

#define LOG_HISTOGRAM_BITS 4
#define LOG_HISTOGRAM_BUCKETS ((64 - LOG_HISTOGRAM_BITS + 1) << LOG_HISTOGRAM_BITS)

// Counts by bucket; signed, so that histograms can be kept as differences. 7.6 KiB; zero is a valid
// empty one.
struct log_histogram {
	int64_t count[LOG_HISTOGRAM_BUCKETS];
};

static inline unsigned log_histogram_bucket(uint64_t value)
{
	const unsigned power = 63u - (unsigned)__builtin_clzll(value | 1);
	const unsigned shift = power > LOG_HISTOGRAM_BITS ? power - LOG_HISTOGRAM_BITS : 0;

	return (shift << LOG_HISTOGRAM_BITS) + (unsigned)(value >> shift);
}

// The largest value of a bucket.
uint64_t log_histogram_upper(unsigned bucket);

// Adds from, bucket by bucket.
void log_histogram_merge(struct log_histogram *into, const struct log_histogram *from);

// The smallest value that at least a share p (0..1) of the values do not exceed, as the middle of its
// bucket, but at most max, the largest value. 0 where there is none.
uint64_t log_histogram_quantile(const struct log_histogram *histogram, double p, uint64_t max);

#endif
