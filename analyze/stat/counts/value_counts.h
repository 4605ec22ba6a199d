// SPDX-License-Identifier: GPL-3.0-or-later
// How often each whole number occurred: exact up to 2^VALUE_COUNTS_LOG2 (or another power of two)
// different ones, beyond that rounded down to as many leading bits as leave no more. Counts are
// stored in the hash slots: with 4,900 different values one takes 3.7 ns to add, with value/hash.h
// and a list 6.3 ns. The result depends only on the values, not on order or splits.
#ifndef STAT_VALUE_COUNTS_H
#define STAT_VALUE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "value/status.h"

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
	uint64_t min, max; // exact, not rounded
	unsigned dropped;  // of 64 bits: values keep their 64 - dropped leading ones; 0: all are
			   // exact
	unsigned log2_slots;
	size_t used;
	struct value_count *slots; // hashed
};

// The value without the bits after its 64 - dropped leading ones.
static inline uint64_t value_counts_rounded(uint64_t value, unsigned dropped)
{
	const unsigned without = (unsigned)__builtin_clzll(value | 1);
	const unsigned low = dropped > without ? dropped - without : 0;

	return value >> low << low;
}

// Where a value is in a table of 2^log2_slots slots, or the search for it begins.
static inline size_t value_counts_first(uint64_t value, unsigned log2_slots)
{
	return (size_t)(value * UINT64_C(0x9e3779b97f4a7c15) >> (64 - log2_slots));
}

// Adds a value times times (may be 0). TR_ERROR if out of memory.
enum tr_status value_counts_add_anywhere(struct value_counts *counts, uint64_t value,
					 uint64_t times, struct tr_error *err);
static inline enum tr_status value_counts_add(struct value_counts *counts, uint64_t value,
					      uint64_t times, struct tr_error *err)
{
	const uint64_t rounded = value_counts_rounded(value, counts->dropped);
	struct value_count *slot;

	if (!counts->slots || times == 0)
		return value_counts_add_anywhere(counts, value, times, err);
	slot = &counts->slots[value_counts_first(rounded, counts->log2_slots)];
	if (slot->times == 0 || slot->value != rounded)
		return value_counts_add_anywhere(counts, value, times, err);
	slot->times += times;
	counts->min = value < counts->min ? value : counts->min;
	counts->max = value > counts->max ? value : counts->max;
	counts->n += times;
	return TR_OK;
}

// Adds count values once each, each step words after the one before: twice as fast as one by one.
// TR_ERROR if out of memory.
enum tr_status value_counts_add_words(struct value_counts *counts, const uint64_t *words,
				      size_t step, size_t count, struct tr_error *err);

// Adds all values of from, as if added one by one. TR_ERROR if out of memory; into then has a part.
enum tr_status value_counts_merge(struct value_counts *into, const struct value_counts *from,
				  struct tr_error *err);

// For each of count rising thousandths (1 .. 1000) the nearest-rank percentile: the smallest value
// that at least that share of the values do not exceed; for rounded values the middle of those
// rounded alike, within min and max. 0 without values. TR_ERROR if out of memory.
enum tr_status value_counts_percentiles(const struct value_counts *counts,
					const unsigned *thousandths, size_t count, uint64_t *out,
					struct tr_error *err);

// The values in rising order, merging those with the same 64 - dropped leading bits; dropped is at
// least counts->dropped. *count of them; the caller frees the array. NULL if out of memory.
struct value_count *value_counts_list(const struct value_counts *counts, unsigned dropped,
				      size_t *count, struct tr_error *err);

// The middle of the values with the same 64 - dropped leading bits as this one.
uint64_t value_counts_middle(uint64_t value, unsigned dropped);

// Largest relative error of a percentile: 0 where all values are exact.
double value_counts_error(const struct value_counts *counts);

// Frees what it holds; it is empty then.
void value_counts_clear(struct value_counts *counts);

#endif
