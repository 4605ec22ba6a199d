// SPDX-License-Identifier: GPL-3.0-or-later
// Values over time in a bounded number of columns, for figures: each column keeps the number, sum,
// least and largest of its values. When time exceeds the columns, neighbours are joined and each
// covers twice as many steps; columns always begin at multiples of their width, so the same values
// give the same columns.
#ifndef REPORT_TIMELINE_H
#define REPORT_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#define TIMELINE_COLUMNS 256

struct timeline_column {
	uint64_t n;
	uint64_t min; // min and max are undefined while n is 0
	uint64_t max;
	unsigned __int128 sum;
};

// Zero is a valid empty one. 12 KiB.
struct timeline {
	unsigned shift;		       // a column covers 2^shift steps
	int64_t first_column;	       // number of columns[0]
	int64_t first_step, last_step; // seen; undefined while the timeline is empty
	size_t used;		       // columns up to the last one seen
	struct timeline_column columns[TIMELINE_COLUMNS];
};

// Adds a value at a step, any number that rises with time. A step back counts as the last step.
void timeline_add(struct timeline *timeline, int64_t step, uint64_t value);

// First step of a column, and how many steps of it lie between the first and the last one seen.
int64_t timeline_step(const struct timeline *timeline, size_t column);
uint64_t timeline_steps(const struct timeline *timeline, size_t column);

// ---- saturating sums and differences of ticks from inputs, which may hold any numbers

// later - earlier.
static inline int64_t span_between(int64_t earlier, int64_t later)
{
	int64_t span;

	if (!__builtin_sub_overflow(later, earlier, &span))
		return span;
	return later < earlier ? INT64_MIN : INT64_MAX;
}

// a + b, held within the range of an int64_t.
static inline int64_t span_sum(int64_t a, int64_t b)
{
	int64_t sum;

	if (!__builtin_add_overflow(a, b, &sum))
		return sum;
	return a < 0 ? INT64_MIN : INT64_MAX;
}

#endif
