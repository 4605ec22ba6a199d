// SPDX-License-Identifier: GPL-3.0-or-later
// How often each whole number occurred: exact while at most VALUE_COUNTS_MAX different ones do, then rounded down to as many
// leading bits as leave no more. What is kept depends on the values alone, not on their order or on how they were split.
#ifndef STAT_VALUE_COUNTS_H
#define STAT_VALUE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "trace/status.h"

#define VALUE_COUNTS_MAX 8192u

struct value_count {
	uint64_t value;
	uint64_t times; // 0: the slot is free
};

// Zero is a valid empty one. At most 256 KiB, 1 KiB for up to 32 different values.
struct value_counts {
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

// Largest relative error of a percentile: 0 where all values are exact.
double value_counts_error(const struct value_counts *counts);

void value_counts_clear(struct value_counts *counts);

#endif
