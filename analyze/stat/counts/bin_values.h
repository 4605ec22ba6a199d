// SPDX-License-Identifier: GPL-3.0-or-later
// How often each count and each number of bytes occurred in the complete bins of every width,
// for percentiles of rates. Filled by struct scales, whose runs between silences belong to several
// widths at once and are kept apart until the end.
#ifndef STAT_BIN_VALUES_H
#define STAT_BIN_VALUES_H

#include <stdint.h>

#include "stat/counts/bins.h"
#include "stat/counts/value_counts.h"
#include "value/status.h"

#define BIN_VALUES_WIDTHS 64

#define BIN_FEW 32u

struct bin_value_counts {
	struct value_counts count;
	struct value_counts size_bytes;
	uint64_t few[BIN_FEW]; // [n]: bins of n packets that are not yet in count
};

// Zero is a valid empty one. At most 1 MiB a width.
struct bin_values {
	struct bin_value_counts widths[BIN_VALUES_WIDTHS];    // non-empty bins
	struct bin_value_counts alone[BIN_VALUES_WIDTHS + 1]; // [k]: bins common to the k finest
							      // widths, until scales_finish
};

// Adds complete bins, of which those with few packets are put aside. TR_ERROR if out of memory.
enum tr_status bin_values_add(struct bin_value_counts *counts, const struct bin *bins, size_t count,
			      struct tr_error *err);

// Adds all that was put aside, before anything is read. TR_ERROR if out of memory.
enum tr_status bin_values_settle(struct bin_values *values, struct tr_error *err);

// Adds all of from; both are settled. TR_ERROR if out of memory.
enum tr_status bin_values_merge(struct bin_value_counts *into, const struct bin_value_counts *from,
				struct tr_error *err);

// Frees what it holds.
void bin_values_clear(struct bin_values *values);

#endif
