// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/bin_values.h"

enum tr_status bin_values_add(struct bin_value_counts *counts, const struct bin_run *bin, struct tr_error *err)
{
	if (value_counts_add(&counts->count, bin->count, 1, err) != TR_OK)
		return TR_ERROR;
	return value_counts_add(&counts->size_bytes, bin->size_bytes, 1, err);
}

enum tr_status bin_values_merge(struct bin_value_counts *into, const struct bin_value_counts *from, struct tr_error *err)
{
	if (value_counts_merge(&into->count, &from->count, err) != TR_OK)
		return TR_ERROR;
	return value_counts_merge(&into->size_bytes, &from->size_bytes, err);
}

static void clear(struct bin_value_counts *counts)
{
	value_counts_clear(&counts->count);
	value_counts_clear(&counts->size_bytes);
}

void bin_values_clear(struct bin_values *values)
{
	for (unsigned i = 0; i < BIN_VALUES_WIDTHS; i++)
		clear(&values->widths[i]);
	for (unsigned i = 0; i <= BIN_VALUES_WIDTHS; i++)
		clear(&values->alone[i]);
}
