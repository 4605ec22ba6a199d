// SPDX-License-Identifier: GPL-3.0-or-later
// Sums over time: several rows of values, each in up to 256 bins of one width, which doubles as
// time goes on. Bins begin at multiples of their width, so that rows of parts of a trace, or of
// several senders, add up to those of the whole.
#ifndef STAT_TIME_ROWS_H
#define STAT_TIME_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "stat/counts/partial.h"
#include "stat/intervals/mean_error.h"
#include "value/status.h"

#define TIME_BINS 256u

// What was added in a bin, by its number.
struct time_cell {
	uint64_t bin, n, sum;
};

// The bins that have values, in order.
struct time_row {
	struct time_cell *cells;
	uint32_t count, capacity;
};

// Memory: 16 bytes a row, and 24 for each of its bins that has values, with room for up to four
// times as many.
struct time_rows {
	size_t row_count;
	struct time_row *rows;
	unsigned shift; // a bin has 2^shift ticks
	uint64_t first; // bin of all rows
	uint32_t used;	// bins from there on
};

// Makes an empty one; row_count at least 1. TR_ERROR if out of memory.
enum tr_status time_rows_open(struct time_rows *rows, size_t row_count, struct tr_error *err);

// For time_rows_reserve, where there is no room.
enum tr_status time_rows_grow(struct time_rows *rows, size_t row, struct tr_error *err);

// Makes room in a row for a bin more. TR_ERROR if out of memory.
static inline enum tr_status time_rows_reserve(struct time_rows *rows, size_t row,
					       struct tr_error *err)
{
	return rows->rows[row].count < rows->rows[row].capacity ? TR_OK
								: time_rows_grow(rows, row, err);
}

// For time_rows_add, where the bin is not the row's last.
void time_rows_add_anywhere(struct time_rows *rows, size_t row, uint64_t ticks, uint64_t n,
			    uint64_t sum);

// Adds n values of this sum to a row, in which there is room, at a time in ticks.
static inline void time_rows_add(struct time_rows *rows, size_t row, uint64_t ticks, uint64_t n,
				 uint64_t sum)
{
	const struct time_row *own = &rows->rows[row];

	if (own->count > 0 && own->cells[own->count - 1].bin == ticks >> rows->shift) {
		own->cells[own->count - 1].n += n;
		own->cells[own->count - 1].sum += sum;
	} else {
		time_rows_add_anywhere(rows, row, ticks, n, sum);
	}
}

// Adds row which of other to a row. TR_ERROR if out of memory.
enum tr_status time_rows_merge(struct time_rows *rows, size_t row, const struct time_rows *other,
			       size_t which, struct tr_error *err);

// Doubles the width of the bins until there are at most this many, above 0.
void time_rows_limit(struct time_rows *rows, uint64_t bins);

// Values of a row in a bin, counted from the first.
uint64_t time_rows_n(const struct time_rows *rows, size_t row, size_t bin);
uint64_t time_rows_sum(const struct time_rows *rows, size_t row, size_t bin);

// Writes them to a partial, or reads them into empty ones.
void time_rows_exchange(struct time_rows *rows, struct partial *partial);

// Frees what it holds; it is empty then.
void time_rows_close(struct time_rows *rows);

// The error at level of a ratio: over[bin] summed over all bins, over under[bin] summed, from the
// residuals over - ratio x under (Cochran: Sampling Techniques, chapter 6), in count bins in order
// of time, at most TIME_BINS.
struct mean_error ratio_error_find(const double *over, const double *under, size_t count,
				   double ratio, double level);

#endif
