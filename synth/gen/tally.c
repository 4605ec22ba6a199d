// SPDX-License-Identifier: GPL-3.0-or-later
// Log-linear bins as in HdrHistogram, in an open hash table.
#include "gen/tally.h"

#include <stdlib.h>

static uint64_t low_of(unsigned bits, uint32_t index, unsigned *exponent)
{
	*exponent = index >> (bits + 1) == 0 ? 0 : (index >> bits) - 1;
	return (uint64_t)(index - (*exponent << bits)) << *exponent;
}

// Home cell of a bin: adjacent bins, the usual case, have adjacent cells.
static size_t first_place(const struct tally *tally, uint32_t index)
{
	return (index + (index >> 12)) & (tally->capacity - 1);
}

// The bin's cell, or the free one for it.
static struct tally_bin *tally_cell_of(const struct tally *tally, uint32_t index)
{
	size_t mask = tally->capacity - 1;
	size_t at = first_place(tally, index);

	while (tally->cells[at].count && tally->cells[at].index != index)
		at = (at + 1) & mask;
	return &tally->cells[at];
}

static bool tally_grow(struct tally *tally)
{
	struct tally larger = *tally;

	larger.capacity = tally->capacity ? 2 * tally->capacity : 64;
	larger.cells = calloc(larger.capacity, sizeof(*larger.cells));
	if (!larger.cells)
		return false;
	for (size_t i = 0; i < tally->capacity; i++)
		if (tally->cells[i].count)
			*tally_cell_of(&larger, tally->cells[i].index) = tally->cells[i];
	free(tally->cells);
	*tally = larger;
	return true;
}

static void tally_add_bin(struct tally *tally, uint32_t index, uint64_t count, uint64_t beyond_low)
{
	struct tally_bin *cell = tally->capacity ? tally_cell_of(tally, index) : NULL;

	if (!cell ||
	    (cell->count == 0 && 2 * tally->used >= tally->capacity)) { // a new bin needs room
		if (!tally_grow(tally)) {
			tally->failed = true;
			return;
		}
		cell = tally_cell_of(tally, index);
	}
	tally->used += cell->count == 0;
	cell->index = index;
	cell->count += count;
	cell->beyond_low += beyond_low;
}

static void note_range(struct tally *tally, uint64_t min, uint64_t max, uint64_t count)
{
	if (tally->count == 0 || min < tally->min)
		tally->min = min;
	if (tally->count == 0 || max > tally->max)
		tally->max = max;
	tally->count += count;
}

// The value's bin; *beyond_low is its offset from the bin's lowest value.
static inline uint32_t tally_bin_of(unsigned bits, uint64_t value, uint64_t *beyond_low)
{
	const unsigned width = 63u - (unsigned)__builtin_clzll(value | 1),
		       exponent = width > bits ? width - bits : 0;
	const uint64_t index = value >> exponent;

	*beyond_low = value - (index << exponent);
	return (exponent << bits) + (uint32_t)index;
}

void tally_add(struct tally *tally, uint64_t value, uint64_t count)
{
	uint64_t beyond_low;
	const uint32_t index = tally_bin_of(tally->bits, value, &beyond_low);

	if (count == 0)
		return;
	tally_add_bin(tally, index, count, beyond_low * count);
	note_range(tally, value, value, count);
}

void tally_add_one(struct tally *tally, uint64_t value)
{
	uint64_t beyond_low;
	const uint32_t index = tally_bin_of(tally->bits, value, &beyond_low);
	struct tally_bin *cell = tally->capacity ? &tally->cells[first_place(tally, index)] : NULL;

	if (!cell || cell->index != index || cell->count == 0) {
		tally_add(tally, value, 1);
		return;
	}
	cell->count++;
	cell->beyond_low += beyond_low;
	tally->count++;
	tally->min = value < tally->min ? value : tally->min;
	tally->max = value > tally->max ? value : tally->max;
}

void tally_merge(struct tally *into, const struct tally *from)
{
	for (size_t i = 0; i < from->capacity; i++)
		if (from->cells[i].count)
			tally_add_bin(into, from->cells[i].index, from->cells[i].count,
				      from->cells[i].beyond_low);
	if (from->count)
		note_range(into, from->min, from->max, from->count);
	into->failed = into->failed || from->failed;
}

static int tally_by_low(const void *a, const void *b)
{
	const struct tally_value *x = a, *y = b;

	return (x->low > y->low) - (x->low < y->low);
}

enum tr_status tally_values(const struct tally *tally, struct tally_value **out, size_t *count,
			    struct tr_error *err)
{
	size_t n = 0;

	*out = NULL;
	*count = 0;
	if (tally->failed)
		return tr_no_memory(err, "the distribution of values");
	if (tally->used == 0)
		return TR_OK;
	*out = calloc(tally->used, sizeof(**out));
	if (!*out)
		return tr_no_memory(err, "the distribution of values");
	for (size_t i = 0; i < tally->capacity; i++) {
		const struct tally_bin *cell = &tally->cells[i];
		unsigned exponent;

		if (cell->count == 0)
			continue;
		uint64_t low = low_of(tally->bits, cell->index, &exponent);
		double mean = (double)low + (double)cell->beyond_low / (double)cell->count;

		(*out)[n++] = (struct tally_value){mean, (double)cell->count, low,
						   low + ((uint64_t)1 << exponent) - 1};
	}
	qsort(*out, n, sizeof(**out), tally_by_low);
	*count = n;
	return TR_OK;
}

void tally_clear(struct tally *tally)
{
	free(tally->cells);
	*tally = (struct tally){.bits = tally->bits};
}
