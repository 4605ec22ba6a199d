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

// The bucket of a value where each power of two is cut in 2^bits equal parts, as Tene's HdrHistogram has it.
static inline unsigned log_bucket_of(uint64_t value, unsigned bits)
{
	const unsigned power = 63u - (unsigned)__builtin_clzll(value | 1);
	const unsigned shift = power > bits ? power - bits : 0;

	return (shift << bits) + (unsigned)(value >> shift);
}

// The smallest value of a bucket, and how many values it holds.
static inline uint64_t log_bucket_first(unsigned bucket, unsigned bits, uint64_t *width)
{
	const unsigned parts = 1u << bits, shift = bucket < parts ? 0 : (bucket >> bits) - 1;

	*width = UINT64_C(1) << shift;
	return bucket < parts ? bucket : (uint64_t)(parts + (bucket & (parts - 1))) << shift;
}

// The middle of a bucket, rounded down.
static inline uint64_t log_bucket_middle(unsigned bucket, unsigned bits)
{
	uint64_t width, first = log_bucket_first(bucket, bits, &width);

	return first + width / 2;
}

static inline unsigned log_histogram_bucket(uint64_t value)
{
	return log_bucket_of(value, LOG_HISTOGRAM_BITS);
}

// The largest value of a bucket.
uint64_t log_histogram_upper(unsigned bucket);

// Adds from, bucket by bucket.
void log_histogram_merge(struct log_histogram *into, const struct log_histogram *from);

// The smallest value that at least a share p (0..1) of the values do not exceed, as the middle of its
// bucket, but at most max, the largest value. 0 where there is none.
uint64_t log_histogram_quantile(const struct log_histogram *histogram, double p, uint64_t max);

#endif
