// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/counts/bin_values.h"

enum tr_status bin_values_add(struct bin_value_counts *counts, const struct bin *bins, size_t count,
			      struct tr_error *err)
{
	for (size_t i = 0; i < count; i++) {
		if (bins[i].count < BIN_FEW)
			counts->few[bins[i].count]++;
		else if (value_counts_add(&counts->count, bins[i].count, 1, err) != TR_OK)
			return TR_ERROR;
	}
	return value_counts_add_words(&counts->size_bytes, &bins->size_bytes,
				      sizeof(struct bin) / sizeof(uint64_t), count, err);
}

// Adds what bin_values_add has put aside for a width. TR_ERROR if out of memory.
static enum tr_status settle_few(struct bin_value_counts *counts, struct tr_error *err)
{
	for (unsigned n = 0; n < BIN_FEW; n++) {
		if (value_counts_add(&counts->count, n, counts->few[n], err) != TR_OK)
			return TR_ERROR;
		counts->few[n] = 0;
	}
	return TR_OK;
}

enum tr_status bin_values_settle(struct bin_values *values, struct tr_error *err)
{
	for (unsigned i = 0; i < BIN_VALUES_WIDTHS; i++)
		if (settle_few(&values->widths[i], err) != TR_OK)
			return TR_ERROR;
	for (unsigned i = 0; i <= BIN_VALUES_WIDTHS; i++)
		if (settle_few(&values->alone[i], err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

enum tr_status bin_values_merge(struct bin_value_counts *into, const struct bin_value_counts *from,
				struct tr_error *err)
{
	if (value_counts_merge(&into->count, &from->count, err) != TR_OK)
		return TR_ERROR;
	return value_counts_merge(&into->size_bytes, &from->size_bytes, err);
}

static void clear_bin_values(struct bin_value_counts *counts)
{
	value_counts_clear(&counts->count);
	value_counts_clear(&counts->size_bytes);
}

void bin_values_clear(struct bin_values *values)
{
	for (unsigned i = 0; i < BIN_VALUES_WIDTHS; i++)
		clear_bin_values(&values->widths[i]);
	for (unsigned i = 0; i <= BIN_VALUES_WIDTHS; i++)
		clear_bin_values(&values->alone[i]);
}
