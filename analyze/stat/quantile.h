// SPDX-License-Identifier: GPL-3.0-or-later
// Quantiles of any number of whole numbers from a histogram whose buckets grow with the value:
// exact below 2^QUANTILE_BITS, above with a relative error of at most 2^-(QUANTILE_BITS + 1) (0.4
// %).
#ifndef STAT_QUANTILE_H
#define STAT_QUANTILE_H

#include <stdint.h>

#define QUANTILE_BITS 7
#define QUANTILE_BUCKETS ((64 - QUANTILE_BITS + 1) << QUANTILE_BITS)

// Zero is a valid empty one. 58 KiB.
struct quantile {
	uint64_t n;
	uint64_t min;
	uint64_t max;
	uint64_t buckets[QUANTILE_BUCKETS];
};

void quantile_add(struct quantile *quantile, uint64_t value);

// Adds all that from holds, as if its values had been added one by one.
void quantile_merge(struct quantile *into, const struct quantile *from);

// The smallest value that at least a share p (0..1) of the values do not exceed, as the middle of
// its bucket, yet never outside the smallest and the largest value. 0 where there is none.
uint64_t quantile_get(const struct quantile *quantile, double p);

// Quantiles in rising order, or shares of rising values, in one pass over the histogram. Zero but for of is its start.
struct quantile_walk {
	const struct quantile *of; // lent, unchanged meanwhile
	unsigned bucket;	   // the first that is not counted
	uint64_t below;
};

// As quantile_get, for p no less than in the call before; *share is that of the value.
uint64_t quantile_walk_to(struct quantile_walk *walk, double p, double *share);

// As quantile_share, for a value no less than in the call before.
double quantile_walk_share(struct quantile_walk *walk, uint64_t value);

// Share of the values that do not exceed value, counting with it all that fell into its bucket. 0
// where there is none.
double quantile_share(const struct quantile *quantile, uint64_t value);

#endif
