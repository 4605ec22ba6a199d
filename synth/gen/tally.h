// SPDX-License-Identifier: GPL-3.0-or-later
// A histogram: exact for small values, in bins of a stated relative width above, each bin keeping
// its exact sum. Adjacent bins have adjacent cells: with 4,900 bins a value takes 4.1 ns, with
// value/hash.h and a list instead 6.3 ns. Merges without loss, in any order. Memory: 48 bytes for
// each non-empty bin; values of n octaves need at most n 2^bits bins.
#ifndef GEN_TALLY_H
#define GEN_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/status.h"

struct tally_bin {
	uint64_t count;	     // 0: the cell is free
	uint64_t beyond_low; // sum of (value - lowest of the bin)
	uint32_t index;
};

// The caller sets bits before the first value: values below 2^(bits+1) have a bin each, larger ones
// bins of 2^-bits of their value or less. Zero is a valid empty one. beyond_low is exact while the
// values of a bin sum to less than 2^(64+bits).
struct tally {
	unsigned bits; // 1 .. 20
	struct tally_bin *cells;
	size_t capacity, used;
	uint64_t count;
	uint64_t min, max; // where count > 0
	bool failed;	   // memory ran out; a value was lost
};

// A bin as the estimators use it.
struct tally_value {
	double value; // mean of the bin
	double count;
	uint64_t low, high; // range of values that fall in it
};

// Adds value (below 2^62) count times.
void tally_add(struct tally *tally, uint64_t value, uint64_t count);

// As tally_add with a count of 1, faster if the value's bin exists.
void tally_add_one(struct tally *tally, uint64_t value);

// Adds all values of from; both must have the same bits.
void tally_merge(struct tally *into, const struct tally *from);

// The bins in ascending order, *count of them, freed by the caller; NULL and 0 for an empty one.
// TR_ERROR where memory ran out now or before.
enum tr_status tally_values(const struct tally *tally, struct tally_value **out, size_t *count,
			    struct tr_error *err);

// Frees what it holds; it is empty then, with the same bits.
void tally_clear(struct tally *tally);

#endif
