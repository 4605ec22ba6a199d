// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of flitcmp share: what is compared, by block and alternative, and what is printed of it.
#ifndef FLITCMP_FLITCMP_H
#define FLITCMP_FLITCMP_H

#include <stdbool.h>

#include "stat/batches.h"
#include "stat/compare.h"
#include "stat/distance.h"
#include "trace/opt.h"
#include "trace/reader.h"
#include "trace/source.h"
#include "trace/table.h"

// ---- compare_cells.c
// What flitcmp compares: for each block (a topology, a class) and alternative (a file, or a value of a
// column) the values of one column over the replications.

// Words are lent.
struct compare_settings {
	const char *column;    // whose values; NULL: what is read first tells
	struct opt_list by;    // columns that make blocks
	bool by_default;       // nothing was said of blocks
	struct opt_list where; // "class=data": rows that count
	const char *among;     // column whose values are the alternatives; NULL: files are
};

struct compare_cell {
	size_t block;
	size_t alternative;
	double *values;
	size_t n, room;
	struct sample sample; // of the values, after compare_settle; or of the batches of a trace
	bool correlated;      // its batches correlate: its interval is too narrow
};

struct compare_names {
	char **names;
	size_t count;
};

// Zero is a valid empty one; compare_clear frees it. Names of blocks have a tab between the values of
// the columns that make them.
struct compare_cells {
	struct compare_names blocks;
	struct compare_names alternatives;
	struct compare_cell *cells;
	size_t count;
};

// The cell of a block and an alternative, made where it is new; NULL without memory. Valid until the
// next call.
struct compare_cell *compare_cell_get(struct compare_cells *cells, const char *block, size_t alternative);

// The cell of two numbers; NULL where it is empty.
const struct compare_cell *compare_cell_find(const struct compare_cells *cells, size_t block, size_t alternative);

// Number of the alternative called name, made where it is new; always made where fresh. SIZE_MAX
// without memory.
size_t compare_alternative(struct compare_cells *cells, const char *name, bool fresh);

// Adds a value to a cell; false without memory.
bool compare_add(struct compare_cell *cell, double value);

// Works out the samples of all cells that have values; the order of the values does not matter.
void compare_settle(struct compare_cells *cells);

// Rows of a table: a line of headings, tab-separated (or, without a tab in the headings,
// comma-separated) values; lines that begin with # do not count, a blank line ends it. name is the
// alternative's where files are. TR_ERROR names the line.
enum tr_status compare_read_table(struct compare_cells *cells, struct tr_source *source, const char *name,
				  const struct compare_settings *settings, struct tr_error *err);

void compare_clear(struct compare_cells *cells);

// ---- compare_traces.c
// What flitcmp keeps of a trace: the means of batches of consecutive values, which are a cell's replications, and their
// distribution by blocks.

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

// What a column's name says of its values, for the columns that the programs print.

enum column_better { COLUMN_NEITHER, COLUMN_LOWER_BETTER, COLUMN_HIGHER_BETTER };

struct column_sense {
	enum column_better better;
	bool not_negative; // a time, a rate or a number of things
};

// The sense of the column called name: by a word of it that names a quantity (latency, wait, dropped, carried, MBps), else
// by its unit, which only says that it is not negative. Of other names nothing is known.
struct column_sense column_sense(const char *name);

// ---- compare_report.c
// What flitcmp prints of its cells.

struct compare_report {
	const struct compare_cells *cells;   // settled
	const struct compare_traces *traces; // whose distributions are compared, where there are several
	const struct compare_settings *settings;
	int level_percent;
	double accuracy_percent;   // of a mean, for the sample sizes
	enum column_better better; // of the values compared; scores take the higher one for better if neither
	bool scores;
	struct opt_list weights; // each a list of numbers with commas, one for each block
	bool differ;		 // set: a pair differs
	size_t pairs;		 // set: compared
};

// Prints the tables. TR_ERROR: weights that are none, scores of blocks in which an alternative is
// missing, no memory, or printing failed.
enum tr_status compare_report_print(struct compare_report *report, struct table_style style, FILE *out, struct tr_error *err);

// ---- compare_scores.c
// The score tables of flitcmp.

// The scores of all alternatives in each block, and their means: two tables for the caller to free.
// TR_ERROR: an alternative is missing in a block or has one value, weights that are none, no memory;
// *scores and *means are NULL then.
enum tr_status compare_scores(const struct compare_report *report, struct table **scores, struct table **means,
			      struct tr_error *err);

// A column for each of settings->by, and the block's values into them.
void compare_block_columns(struct table *table, const struct compare_settings *settings);
void compare_put_block(struct table *table, const struct compare_report *report, size_t block);

#endif
