// SPDX-License-Identifier: GPL-3.0-or-later
// How often each whole number occurred: exact while at most 2^VALUE_COUNTS_LOG2 different ones do (or another power of two), then
// rounded down to as many leading bits as leave no more. The count lies in the slot: of 4,900 different values one takes 3.7 ns to
// add, with trace/hash.h and a list beside it 6.3 ns. What is kept depends on the values alone, not on their order or on how they were split.
#ifndef STAT_VALUE_COUNTS_H
#define STAT_VALUE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "trace/status.h"

#define VALUE_COUNTS_LOG2 13u
#define VALUE_COUNTS_MAX (1u << VALUE_COUNTS_LOG2)

struct value_count {
	uint64_t value;
	uint64_t times; // 0: the slot is free
};

// Zero is a valid empty one. At most 32 bytes a different value, 1 KiB for up to 32.
struct value_counts {
	unsigned log2_max; // set before the first value, at least 5; 0: VALUE_COUNTS_LOG2
	uint64_t n;
	uint64_t min, max; // as they were given
	unsigned dropped;  // of 64 bits: values keep their 64 - dropped leading ones; 0: all are exact
	unsigned log2_slots;
	size_t used;
	struct value_count *slots; // hashed
};

// Adds a value times times (may be 0). TR_ERROR without memory.
enum tr_status value_counts_add(struct value_counts *counts, uint64_t value, uint64_t times, struct tr_error *err);

// Adds all that from holds, as if its values had been added one by one. TR_ERROR without memory; into then holds a part.
enum tr_status value_counts_merge(struct value_counts *into, const struct value_counts *from, struct tr_error *err);

// For each of count rising thousandths (1 .. 1000) the nearest-rank percentile: the smallest value that at least that share of
// the values do not exceed; of rounded values the middle of what is rounded alike, within min and max. 0 where there is none.
// TR_ERROR without memory.
enum tr_status value_counts_percentiles(const struct value_counts *counts, const unsigned *thousandths, size_t count,
					uint64_t *out, struct tr_error *err);

// The values in rising order, with all that keep the same 64 - dropped leading bits as one; dropped is at least counts->dropped.
// *count of them, to be freed; NULL without memory.
struct value_count *value_counts_list(const struct value_counts *counts, unsigned dropped, size_t *count, struct tr_error *err);

// The middle of the values that keep the same 64 - dropped leading bits as this one.
uint64_t value_counts_middle(uint64_t value, unsigned dropped);

// Largest relative error of a percentile: 0 where all values are exact.
double value_counts_error(const struct value_counts *counts);

void value_counts_clear(struct value_counts *counts);

#endif
