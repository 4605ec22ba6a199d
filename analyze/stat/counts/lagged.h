// SPDX-License-Identifier: GPL-3.0-or-later
// Autocorrelation of a series of whole numbers at a list of lags, in one pass: the sums of products
// are 128-bit integers, so that any split of the series gives the same bytes. Memory: 20 bytes for
// each value of the longest lag and 12 for each of LAGGED_CHUNK.
#ifndef STAT_LAGGED_H
#define STAT_LAGGED_H

#include <stddef.h>
#include <stdint.h>

#include "stat/counts/partial.h"
#include "stat/intervals/moments.h"
#include "value/status.h"

#define LAGS_MAX 32
#define LAG_LONGEST 4096
#define LAGGED_CHUNK 256

// Lags above 0, at most LAG_LONGEST, in any order.
struct lags {
	size_t count;
	uint32_t lag[LAGS_MAX];
};

// Values are 0 or more; their total must fit an int64_t. Those of the last chunk are still in
// buffer, after as many earlier values as the longest lag, and in no sum yet.
struct lagged {
	const struct lags *lags; // lent
	size_t longest;
	struct moments moments;	     // of the values
	__int128 products[LAGS_MAX]; // sums of x(i) x(i + lag)
	__int128 neighbours;	     // the same for lag 1, whatever the list
	int64_t *first;		     // the first values, as many as the longest lag
	int64_t *buffer;	     // longest + LAGGED_CHUNK
	uint32_t *narrow;	     // the same in 32 bits, if all values fit
	size_t kept;		     // values of buffer already in the sums
	size_t filled;
};

// Makes an empty one; lags must outlive it. TR_ERROR if out of memory; lagged_close is then
// allowed.
enum tr_status lagged_open(struct lagged *lagged, const struct lags *lags, struct tr_error *err);

// Adds the buffered values to the sums; the functions here call it as needed.
void lagged_flush(struct lagged *lagged);

// Adds the next value of the series.
static inline void lagged_add(struct lagged *lagged, int64_t value)
{
	lagged->buffer[lagged->filled++] = value;
	if (lagged->filled == lagged->longest + LAGGED_CHUNK)
		lagged_flush(lagged);
}

// Adds consecutive values.
void lagged_add_all(struct lagged *lagged, const int64_t *values, size_t count);

// Adds the values of later, with the same lags, after the own ones, as if they had been added one
// by one. Both flushed.
void lagged_join(struct lagged *lagged, const struct lagged *later);

// Writes one that is flushed to a partial, or reads it into an empty one that lagged_open has made.
void lagged_exchange(struct lagged *lagged, struct partial *partial);

// sum (x(i) - m)(x(i + lag) - m) / sum (x(i) - m)^2 with the mean m of all, for the lag in position
// i of the list (Box and Jenkins 1976). NaN if the series has no more values than the lag, or no
// variance. After lagged_flush.
double lagged_autocorrelation(const struct lagged *lagged, size_t i);

// Correlation of values with the next ones, each side with its own mean and deviation: the memory
// of Goh and Barabasi 2008. NaN below three values, or without a variance. After lagged_flush.
double lagged_memory(const struct lagged *lagged);

// Makes an independent copy; does not free the old content of to. TR_ERROR if out of memory; both
// may be closed.
enum tr_status lagged_copy(struct lagged *to, const struct lagged *from, struct tr_error *err);

// Frees what it holds; it is empty then.
void lagged_close(struct lagged *lagged);

#endif
