// SPDX-License-Identifier: GPL-3.0-or-later
// What flitcmp keeps of a trace: the means of batches of consecutive values, which are a cell's replications, and their
// distribution by blocks.
#ifndef ANALYZE_COMPARE_TRACES_H
#define ANALYZE_COMPARE_TRACES_H

#include "compare_cells.h"
#include "stat/batches.h"
#include "stat/block_sample.h"
#include "trace/reader.h"

enum compare_quantity {
	COMPARE_GAP,
	COMPARE_SIZE,
	COMPARE_PACKETS_1MS,
	COMPARE_PACKETS_10MS,
	COMPARE_PACKETS_100MS,
	COMPARE_PACKETS_1S,
	COMPARE_LATENCY,
	COMPARE_WORM,
	COMPARE_QUANTITIES
};

#define COMPARE_ALL 3u
#define COMPARE_CLASSES 4u // unclassed, data, overhead, all

// Values are whole numbers in a small unit of which compare_quantity_per() stand for one of the column's.
struct compare_values {
	struct batches batches;
	struct block_sample sample;
};

struct compare_trace {
	size_t alternative;
	struct compare_values *values[COMPARE_CLASSES][COMPARE_QUANTITIES]; // NULL: it has none
};

// Zero is a valid empty one; compare_traces_clear frees it.
struct compare_traces {
	struct compare_trace *list;
	size_t count;
};

// "gap_us", and values of the small unit in one of the column's; "all".
const char *compare_quantity_column(enum compare_quantity quantity);
double compare_quantity_per(enum compare_quantity quantity);
const char *compare_class_name(unsigned class);

// Reads packets or deliveries; name is the alternative's. TR_ERROR where a column or class is wanted that they do not have, nothing
// was delivered, or the reader fails and keep_going is not set.
enum tr_status compare_read_trace(struct compare_traces *traces, struct compare_cells *cells, struct tr_reader *in,
				  const char *name, const struct compare_settings *settings, bool keep_going,
				  struct tr_error *err);

// Makes the cells of settings->column; where that is NULL, sets it to worm_MBps if all traces have it, else gap_us, else size_B. TR_ERROR where a
// trace does not have the column, or without memory.
enum tr_status compare_traces_put(const struct compare_traces *traces, struct compare_cells *cells,
				  struct compare_settings *settings, struct tr_error *err);

void compare_traces_clear(struct compare_traces *traces);

#endif
