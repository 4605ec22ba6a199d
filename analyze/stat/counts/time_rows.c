// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/counts/time_rows.h"

#include <stdlib.h>
#include <string.h>

enum tr_status time_rows_open(struct time_rows *rows, size_t row_count, struct tr_error *err)
{
	*rows = (struct time_rows){.rows = calloc(row_count, sizeof(struct time_row))};
	if (!rows->rows)
		return tr_no_memory(err, "%zu rows", row_count);
	rows->row_count = row_count;
	return TR_OK;
}

enum tr_status time_rows_grow(struct time_rows *rows, size_t row, struct tr_error *err)
{
	struct time_row *own = &rows->rows[row];
	const uint32_t capacity = own->capacity ? 4 * own->capacity : 1;
	struct time_cell *cells;

	if (own->capacity == TIME_BINS)
		return TR_OK;
	cells = realloc(own->cells, capacity * sizeof(*cells));
	if (!cells)
		return tr_no_memory(err, "a row of %u bins", capacity);
	own->cells = cells;
	own->capacity = capacity;
	return TR_OK;
}

// Joins bins in pairs.
static void time_rows_double_width(struct time_rows *rows)
{
	const uint64_t first = rows->first / 2;

	for (size_t row = 0; row < rows->row_count; row++) {
		struct time_row *own = &rows->rows[row];
		uint32_t count = 0;

		for (uint32_t i = 0; i < own->count; i++) {
			const struct time_cell cell = {own->cells[i].bin / 2, own->cells[i].n,
						       own->cells[i].sum};

			if (count > 0 && own->cells[count - 1].bin == cell.bin) {
				own->cells[count - 1].n += cell.n;
				own->cells[count - 1].sum += cell.sum;
			} else {
				own->cells[count++] = cell;
			}
		}
		own->count = count;
	}
	if (rows->used > 0)
		rows->used = (uint32_t)((rows->first + rows->used - 1) / 2 - first) + 1;
	rows->first = first;
	rows->shift++;
}

// The bin of a time, for which the others may become wider.
static uint64_t find_bin(struct time_rows *rows, uint64_t ticks)
{
	uint64_t bin = ticks >> rows->shift, low, high;

	if (bin - rows->first < rows->used)
		return bin;
	if (rows->used == 0) {
		rows->first = bin;
		rows->used = 1;
	}
	for (;; time_rows_double_width(rows)) {
		bin = ticks >> rows->shift;
		low = bin < rows->first ? bin : rows->first;
		high = bin > rows->first + rows->used - 1 ? bin : rows->first + rows->used - 1;
		if (high - low < TIME_BINS)
			break;
	}
	rows->first = low;
	rows->used = (uint32_t)(high - low + 1);
	return bin;
}

// The place of the first cell that is not before a bin.
static uint32_t find_cell(const struct time_row *row, uint64_t bin)
{
	uint32_t low = 0, high = row->count;

	if (high > 0 && row->cells[high - 1].bin <= bin) // nearly always
		return row->cells[high - 1].bin == bin ? high - 1 : high;
	while (low < high) {
		const uint32_t middle = (low + high) / 2;

		if (row->cells[middle].bin < bin)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void time_rows_add_anywhere(struct time_rows *rows, size_t row, uint64_t ticks, uint64_t n,
			    uint64_t sum)
{
	struct time_row *own = &rows->rows[row];
	const uint64_t bin = find_bin(rows, ticks);
	const uint32_t at = find_cell(own, bin);
	struct time_cell *cell = &own->cells[at];

	if (at == own->count || cell->bin != bin) {
		memmove(cell + 1, cell, (own->count - at) * sizeof(*cell));
		*cell = (struct time_cell){.bin = bin};
		own->count++;
	}
	cell->n += n;
	cell->sum += sum;
}

enum tr_status time_rows_merge(struct time_rows *rows, size_t row, const struct time_rows *other,
			       size_t which, struct tr_error *err)
{
	const struct time_row *from = &other->rows[which];

	while (from->count > 0 && rows->shift < other->shift)
		time_rows_double_width(rows);
	for (uint32_t i = 0; i < from->count; i++) {
		if (time_rows_reserve(rows, row, err) != TR_OK)
			return TR_ERROR;
		time_rows_add(rows, row, from->cells[i].bin << other->shift, from->cells[i].n,
			      from->cells[i].sum);
	}
	return TR_OK;
}

void time_rows_limit(struct time_rows *rows, uint64_t bins)
{
	while (rows->used > bins)
		time_rows_double_width(rows);
}

static struct time_cell time_cell_at(const struct time_rows *rows, size_t row, size_t bin)
{
	const struct time_row *own = &rows->rows[row];
	const uint32_t at = find_cell(own, rows->first + bin);

	return at < own->count && own->cells[at].bin == rows->first + bin ? own->cells[at]
									  : (struct time_cell){0};
}

uint64_t time_rows_n(const struct time_rows *rows, size_t row, size_t bin)
{
	return time_cell_at(rows, row, bin).n;
}

uint64_t time_rows_sum(const struct time_rows *rows, size_t row, size_t bin)
{
	return time_cell_at(rows, row, bin).sum;
}

// A row as values of all bins.
static enum tr_status exchange_row(struct time_rows *rows, size_t row, struct partial *partial,
				   struct tr_error *err)
{
	int64_t n[TIME_BINS] = {0}, sum[TIME_BINS] = {0};

	for (uint32_t i = 0; i < rows->used && !partial_reads(partial); i++) {
		n[i] = (int64_t)time_rows_n(rows, row, i);
		sum[i] = (int64_t)time_rows_sum(rows, row, i);
	}
	partial_sparse(partial, n, rows->used);
	partial_sparse(partial, sum, rows->used);
	for (uint32_t i = 0; i < rows->used && partial_reads(partial) && partial_ok(partial); i++) {
		if (n[i] == 0)
			continue;
		if (time_rows_reserve(rows, row, err) != TR_OK)
			return TR_ERROR;
		rows->rows[row].cells[rows->rows[row].count++] = (struct time_cell){
			rows->first + i, (uint64_t)n[i], (uint64_t)sum[i]};
	}
	return TR_OK;
}

void time_rows_exchange(struct time_rows *rows, struct partial *partial)
{
	uint64_t shift = rows->shift, used = rows->used, first_high = rows->first >> 32,
		 first_low = rows->first & UINT32_MAX;
	struct tr_error err;

	partial_u64(partial, &shift, 63);
	partial_u64(partial, &first_high, UINT32_MAX);
	partial_u64(partial, &first_low, UINT32_MAX);
	partial_u64(partial, &used, TIME_BINS);
	rows->shift = (unsigned)shift;
	rows->first = first_high << 32 | first_low;
	rows->used = (uint32_t)used;
	for (size_t row = 0; row < rows->row_count && partial_ok(partial); row++) {
		uint64_t there = rows->rows[row].count > 0;

		partial_u64(partial, &there, 1);
		if (there && exchange_row(rows, row, partial, &err) != TR_OK) {
			partial_refuse(partial, "%s", err.text);
			return;
		}
	}
	if (partial_reads(partial) && rows->used > 0 &&
	    rows->first + rows->used - 1 > UINT64_MAX >> rows->shift)
		partial_refuse(partial, "bins beyond all times");
}

void time_rows_close(struct time_rows *rows)
{
	for (size_t row = 0; row < rows->row_count; row++)
		free(rows->rows[row].cells);
	free(rows->rows);
	*rows = (struct time_rows){.row_count = 0};
}

struct mean_error ratio_error_find(const double *over, const double *under, size_t count,
				   double ratio, double level)
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
