// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/time_rows.h"

#include <stdlib.h>
#include <string.h>

enum tr_status time_rows_open(struct time_rows *rows, size_t row_count, struct tr_error *err)
{
	*rows = (struct time_rows){.rows = calloc(row_count, sizeof(struct time_row *))};
	if (!rows->rows)
		return tr_no_memory(err, "%zu rows", row_count);
	rows->row_count = row_count;
	return TR_OK;
}

enum tr_status time_rows_reserve(struct time_rows *rows, size_t row, struct tr_error *err)
{
	if (!rows->rows[row])
		rows->rows[row] = calloc(1, sizeof(struct time_row));
	return rows->rows[row] ? TR_OK : tr_no_memory(err, "a row of %u bins", TIME_BINS);
}

// Joins bins in pairs.
static void double_width(struct time_rows *rows)
{
	const uint64_t first = rows->first / 2;
	size_t used = 0;

	for (size_t row = 0; row < rows->row_count; row++) {
		struct time_row joined = {.n = {0}};

		if (!rows->rows[row])
			continue;
		for (size_t i = 0; i < rows->used; i++) {
			const size_t bin = (size_t)((rows->first + i) / 2 - first);

			joined.n[bin] += rows->rows[row]->n[i];
			joined.sum[bin] += rows->rows[row]->sum[i];
		}
		*rows->rows[row] = joined;
	}
	if (rows->used > 0)
		used = (size_t)((rows->first + rows->used - 1) / 2 - first) + 1;
	rows->used = (uint32_t)used;
	rows->first = first;
	rows->shift++;
}

// Moves the bins so that there are some more before them.
static void move_bins(struct time_rows *rows, size_t by)
{
	for (size_t row = 0; row < rows->row_count; row++) {
		struct time_row *one = rows->rows[row];

		if (!one)
			continue;
		memmove(one->n + by, one->n, (TIME_BINS - by) * sizeof(*one->n));
		memmove(one->sum + by, one->sum, (TIME_BINS - by) * sizeof(*one->sum));
		memset(one->n, 0, by * sizeof(*one->n));
		memset(one->sum, 0, by * sizeof(*one->sum));
	}
	rows->first -= by;
	rows->used += (uint32_t)by;
}

// The bin of a time, for which the others may become wider.
static size_t find_bin(struct time_rows *rows, uint64_t ticks)
{
	uint64_t bin = ticks >> rows->shift, low, high;

	if (bin - rows->first < rows->used)
		return (size_t)(bin - rows->first);
	if (rows->used == 0) {
		rows->first = bin;
		rows->used = 1;
	}
	for (;; double_width(rows)) {
		bin = ticks >> rows->shift;
		low = bin < rows->first ? bin : rows->first;
		high = bin > rows->first + rows->used - 1 ? bin : rows->first + rows->used - 1;
		if (high - low < TIME_BINS)
			break;
	}
	if (low < rows->first)
		move_bins(rows, (size_t)(rows->first - low));
	rows->used = (uint32_t)(high - low + 1);
	return (size_t)(bin - low);
}

void time_rows_add(struct time_rows *rows, size_t row, uint64_t ticks, uint64_t n, uint64_t sum)
{
	const size_t bin = find_bin(rows, ticks);

	rows->rows[row]->n[bin] += n;
	rows->rows[row]->sum[bin] += sum;
}

enum tr_status time_rows_merge(struct time_rows *rows, size_t row, const struct time_rows *other, size_t which,
			       struct tr_error *err)
{
	if (!other->rows[which])
		return TR_OK;
	if (time_rows_reserve(rows, row, err) != TR_OK)
		return TR_ERROR;
	while (rows->shift < other->shift)
		double_width(rows);
	for (size_t i = 0; i < other->used; i++)
		if (other->rows[which]->n[i] != 0)
			time_rows_add(rows, row, (other->first + i) << other->shift, other->rows[which]->n[i],
				      other->rows[which]->sum[i]);
	return TR_OK;
}

void time_rows_limit(struct time_rows *rows, uint64_t bins)
{
	while (rows->used > bins)
		double_width(rows);
}

uint64_t time_rows_n(const struct time_rows *rows, size_t row, size_t bin)
{
	return rows->rows[row] ? rows->rows[row]->n[bin] : 0;
}

uint64_t time_rows_sum(const struct time_rows *rows, size_t row, size_t bin)
{
	return rows->rows[row] ? rows->rows[row]->sum[bin] : 0;
}

void time_rows_exchange(struct time_rows *rows, struct partial *partial)
{
	uint64_t shift = rows->shift, used = rows->used, first_high = rows->first >> 32, first_low = rows->first & UINT32_MAX;
	struct tr_error err;

	partial_u64(partial, &shift, 63);
	partial_u64(partial, &first_high, UINT32_MAX);
	partial_u64(partial, &first_low, UINT32_MAX);
	partial_u64(partial, &used, TIME_BINS);
	rows->shift = (unsigned)shift;
	rows->first = first_high << 32 | first_low;
	rows->used = (uint32_t)used;
	for (size_t row = 0; row < rows->row_count && partial_ok(partial); row++) {
		uint64_t there = rows->rows[row] ? 1 : 0;

		partial_u64(partial, &there, 1);
		if (!there)
			continue;
		if (partial_reads(partial) && time_rows_reserve(rows, row, &err) != TR_OK) {
			partial_refuse(partial, "%s", err.text);
			return;
		}
		partial_sparse(partial, (int64_t *)rows->rows[row]->n, rows->used);
		partial_sparse(partial, (int64_t *)rows->rows[row]->sum, rows->used);
	}
	if (partial_reads(partial) && rows->used > 0 && rows->first + rows->used - 1 > UINT64_MAX >> rows->shift)
		partial_refuse(partial, "bins beyond all times");
}

void time_rows_close(struct time_rows *rows)
{
	for (size_t row = 0; row < rows->row_count; row++)
		free(rows->rows[row]);
	free(rows->rows);
	*rows = (struct time_rows){.row_count = 0};
}

struct mean_error ratio_error_find(const double *over, const double *under, size_t count, double ratio, double level)
{
	double residuals[TIME_BINS], below = 0;
	struct mean_error error;

	for (size_t i = 0; i < count; i++) {
		residuals[i] = over[i] - ratio * under[i];
		below += under[i];
	}
	error = mean_error_find(residuals, count, level);
	error.se *= (double)count / below;
	return error;
}
