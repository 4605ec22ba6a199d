// SPDX-License-Identifier: GPL-3.0-or-later
// How often each count and each number of bytes occurred in the complete bins of every width: percentiles of rates. Filled by
// struct scales, whose runs between silences belong to several widths at once and are kept apart until the end.
#ifndef STAT_BIN_VALUES_H
#define STAT_BIN_VALUES_H

#include "stat/binner.h"
#include "stat/value_counts.h"

#define BIN_VALUES_WIDTHS 64

struct bin_value_counts {
	struct value_counts count;
	struct value_counts size_bytes;
};

// Zero is a valid empty one. At most 1 MiB a width.
struct bin_values {
	struct bin_value_counts widths[BIN_VALUES_WIDTHS];    // bins that are not empty
	struct bin_value_counts alone[BIN_VALUES_WIDTHS + 1]; // [k]: bins of each of the k finest widths, until scales_finish
};

// Adds a bin. TR_ERROR without memory.
enum tr_status bin_values_add(struct bin_value_counts *counts, const struct bin_run *bin, struct tr_error *err);

// Adds all that from holds. TR_ERROR without memory.
enum tr_status bin_values_merge(struct bin_value_counts *into, const struct bin_value_counts *from, struct tr_error *err);

void bin_values_clear(struct bin_values *values);

#endif
