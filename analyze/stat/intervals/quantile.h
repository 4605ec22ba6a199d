// SPDX-License-Identifier: GPL-3.0-or-later
// Histograms whose buckets grow with the value: a small one, and a fine one for quantiles.
#ifndef STAT_QUANTILE_H
#define STAT_QUANTILE_H

#include <stdint.h>

// ---- A histogram whose buckets grow with the value: exact below 2^LOG_HISTOGRAM_BITS, above it a
// power of two is cut in 2^LOG_HISTOGRAM_BITS equal parts, so that the middle of a bucket is off by
// at most 1 in 2^(LOG_HISTOGRAM_BITS + 1) (3.2 %). An eighth of a struct quantile, for many at
// once.

#define LOG_HISTOGRAM_BITS 4
#define LOG_HISTOGRAM_BUCKETS ((64 - LOG_HISTOGRAM_BITS + 1) << LOG_HISTOGRAM_BITS)

// Counts by bucket; signed, so that histograms can be kept as differences. 7.6 KiB; zero is a valid
// empty one.
struct log_histogram {
	int64_t count[LOG_HISTOGRAM_BUCKETS];
};

// The bucket of a value if each power of two is cut into 2^bits equal parts, as in Tene's
// HdrHistogram.
static inline unsigned log_bucket_of(uint64_t value, unsigned bits)
{
	const unsigned power = 63u - (unsigned)__builtin_clzll(value | UINT64_C(1) << bits);
	const unsigned shift = power - bits;

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

// The bucket of a value, below LOG_HISTOGRAM_BUCKETS.
static inline unsigned log_histogram_bucket(uint64_t value)
{
	return log_bucket_of(value, LOG_HISTOGRAM_BITS);
}

// The largest value of a bucket.
uint64_t log_histogram_upper(unsigned bucket);

// Adds from, bucket by bucket.
void log_histogram_merge(struct log_histogram *into, const struct log_histogram *from);

// The smallest value that at least a share p (0..1) of the values do not exceed, as the middle of
// its bucket, but at most max, the largest value. 0 if there are no values.
uint64_t log_histogram_quantile(const struct log_histogram *histogram, double p, uint64_t max);

// ---- Quantiles of any number of whole numbers from a histogram whose buckets grow with the value:
// exact below 2^QUANTILE_BITS, above with a relative error of at most 2^-(QUANTILE_BITS + 1) (0.4
// %).

#define QUANTILE_BITS 7
#define QUANTILE_BUCKETS ((64 - QUANTILE_BITS + 1) << QUANTILE_BITS)

// Zero is a valid empty one. 58 KiB.
struct quantile {
	uint64_t n;
	uint64_t min;
	uint64_t max;
	uint64_t buckets[QUANTILE_BUCKETS];
};

// Adds a value times times, at least once.
static inline void quantile_add_repeated(struct quantile *quantile, uint64_t value, uint64_t times)
{
	if (quantile->n == 0 || value < quantile->min)
		quantile->min = value;
	if (value > quantile->max)
		quantile->max = value;
	quantile->n += times;
	quantile->buckets[log_bucket_of(value, QUANTILE_BITS)] += times;
}

// Adds a value.
static inline void quantile_add(struct quantile *quantile, uint64_t value)
{
	quantile_add_repeated(quantile, value, 1);
}

// Makes it empty again.
void quantile_clear(struct quantile *quantile);

// Adds all values of from, as if added one by one.
void quantile_merge(struct quantile *into, const struct quantile *from);

// The smallest value that at least a share p (0..1) of the values do not exceed, as the middle of
// its bucket, clamped to the smallest and the largest value. 0 if there are no values.
uint64_t quantile_get(const struct quantile *quantile, double p);

// Quantiles in rising order, or shares of rising values, in one pass over the histogram. Starts
// zero except for of.
struct quantile_walk {
	const struct quantile *of; // lent, unchanged meanwhile
	unsigned bucket;	   // the first not yet counted
	uint64_t below;
};

// As quantile_get, for p not below that of the previous call; *share is that of the value.
uint64_t quantile_walk_to(struct quantile_walk *walk, double p, double *share);

// As quantile_share, for a value not below that of the previous call.
double quantile_walk_share(struct quantile_walk *walk, uint64_t value);

// Share of the values up to value, with all of its bucket. 0 if there are no values.
double quantile_share(const struct quantile *quantile, uint64_t value);

#endif
