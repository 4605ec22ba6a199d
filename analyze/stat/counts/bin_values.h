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

// A number of bytes whose slot is being fetched.
struct bin_expected {
	struct value_counts *counts;
	uint64_t size_bytes;
};

#define BIN_VALUES_EXPECTED 16u

// Zero is a valid empty one. At most 1 MiB a width.
struct bin_values {
	struct bin_value_counts widths[BIN_VALUES_WIDTHS];    // non-empty bins
	struct bin_value_counts alone[BIN_VALUES_WIDTHS + 1]; // [k]: bins common to the k finest
							      // widths, until scales_finish
	struct bin_expected expected[BIN_VALUES_EXPECTED]; // a ring of those not yet added, until
							   // scales_finish
	uint64_t taken;					   // bins that were ever put into the ring
};

// Adds a complete bin to counts, which are of values. Its bytes follow some bins later, so that
// their slot has been fetched. TR_ERROR if out of memory.
enum tr_status bin_values_add(struct bin_values *values, struct bin_value_counts *counts,
			      const struct bin_run *bin, struct tr_error *err);

// Adds all that was put aside, before anything is read. TR_ERROR if out of memory.
enum tr_status bin_values_settle(struct bin_values *values, struct tr_error *err);

// Adds all of from; both are settled. TR_ERROR if out of memory.
enum tr_status bin_values_merge(struct bin_value_counts *into, const struct bin_value_counts *from,
				struct tr_error *err);

// Frees what it holds.
void bin_values_clear(struct bin_values *values);

#endif
