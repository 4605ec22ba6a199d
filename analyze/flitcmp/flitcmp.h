// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of flitcmp share: the values compared, by block and alternative, and the tables.
#ifndef FLITCMP_FLITCMP_H
#define FLITCMP_FLITCMP_H

#include <stdbool.h>

#include "file/source.h"
#include "stat/counts/distance.h"
#include "stat/intervals/batches.h"
#include "stat/intervals/compare.h"
#include "stat/nodes/talker_changes.h"
#include "stream/column_table.h"
#include "stream/reader.h"
#include "stream/run_end.h"
#include "table/opt.h"
#include "table/table.h"

// ---- compare_cells.c
// The input of the comparison: for each block (a topology, a class) and alternative (a file, or a
// value of a column) the values of one column over the replications.

// Words are lent.
struct compare_settings {
	const char *column;    // whose values to compare; NULL: chosen from the first input
	struct opt_list by;    // columns whose values form the blocks
	bool by_default;       // the user chose no blocks
	struct opt_list where; // "class=data": only these rows are read
	const char *paired;    // column whose equal values pair the rows of two alternatives; NULL:
			       // independent
	const char *among;     // column whose values are the alternatives; NULL: the files
	struct column_form form; // of tables: separator and decimal sign
};

struct compare_value {
	double value;
	size_t run; // of compare_cells.runs
};

struct compare_cell {
	size_t block;
	size_t alternative;
	struct compare_value *values;
	size_t n, room;
	struct sample sample; // of the values, after compare_settle; of a trace: independent values
			      // that know the mean as well
	uint64_t dependent;	 // of a trace: its values in order, of which
	struct mean_error error; // is that of the mean
	struct tr_run_end end;	 // the worst of its runs, as far as it spoils this column
	size_t spoiled;		 // runs of this end
};

struct compare_names {
	char **names;
	size_t count;
};

// Zero is a valid empty one; compare_clear frees it. The name of a block is the values of its
// columns, separated by tabs.
struct compare_cells {
	struct compare_names blocks;
	struct compare_names alternatives;
	struct compare_names runs; // values of settings.paired
	struct compare_cell *cells;
	size_t count;
};

// Takes in how a run of the cell ended: a standstill spoils any column, saturation those where
// lower is better.
void compare_end(struct compare_cell *cell, struct tr_run_end end, const char *column);

// The cell of a block and an alternative, created if new; NULL if out of memory. Valid until the
// next call.
struct compare_cell *compare_cell_get(struct compare_cells *cells, const char *block,
				      size_t alternative);

// The cell at these indices; NULL if it is empty.
const struct compare_cell *compare_cell_find(const struct compare_cells *cells, size_t block,
					     size_t alternative);

// Index of the alternative called name, created if new, or always if fresh. SIZE_MAX if out of
// memory.
size_t compare_alternative(struct compare_cells *cells, const char *name, bool fresh);

// Adds a value to a cell; false if out of memory.
bool compare_add(struct compare_cell *cell, double value, size_t run);

// Computes the samples of all cells that have values; the order of the values does not matter.
void compare_settle(struct compare_cells *cells);
void compare_settle_cell(struct compare_cell *cell); // has values

// Reads the rows of a printed table (stream/column_table.h), the first of the source. name is the
// alternative's if files are the alternatives; note: which columns were taken of how many, if some
// were not. TR_ERROR names the file and the line.
enum tr_status compare_read_table(struct compare_cells *cells, struct tr_source *source,
				  const char *name, const struct compare_settings *settings,
				  char note[COLUMN_NOTE_BYTES], struct tr_error *err);

// Frees what it holds; it is empty then.
void compare_clear(struct compare_cells *cells);

// ---- compare_traces.c
// What flitcmp keeps of a trace: the means of batches of consecutive values, which are a cell's
// replications, and the distribution of the values in blocks.

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

// Values are whole numbers of a small unit; compare_quantity_per() of them make one unit of the
// column.
struct compare_values {
	struct batches batches;
	struct block_sample sample;
};

struct compare_trace {
	size_t alternative;
	struct tr_run_end end;
	struct talkers talkers;
	struct compare_values *values[COMPARE_CLASSES][COMPARE_QUANTITIES]; // NULL: none
};

// Zero is a valid empty one; compare_traces_clear frees it.
struct compare_traces {
	struct compare_trace *list;
	size_t count;
};

// "gap_us"; small units per unit of the column; "all".
const char *compare_quantity_column(enum compare_quantity quantity);
double compare_quantity_per(enum compare_quantity quantity);
const char *compare_class_name(unsigned class);

// Reads packets or deliveries; name is the alternative's. TR_ERROR if they lack the column or class
// wanted, nothing was delivered, or the reader fails and keep_going is not set.
enum tr_status compare_read_trace(struct compare_traces *traces, struct compare_cells *cells,
				  struct tr_reader *in, const char *name,
				  const struct compare_settings *settings, bool keep_going,
				  struct tr_error *err);

// Makes the cells of settings->column; if that is NULL, sets it to worm_MBps if all traces have it,
// else gap_us, else size_B. level: of their intervals. TR_ERROR if a trace lacks the column, or out
// of memory.
enum tr_status compare_traces_put(const struct compare_traces *traces, struct compare_cells *cells,
				  struct compare_settings *settings, double level,
				  struct tr_error *err);

// Frees what it holds; it is empty then.
void compare_traces_clear(struct compare_traces *traces);

// ---- compare_columns.c
// What the name of a column tells about its values, for columns that our programs print.

enum column_better { COLUMN_NEITHER, COLUMN_LOWER_BETTER, COLUMN_HIGHER_BETTER };

struct column_sense {
	enum column_better better;
	bool not_negative; // a time, a rate or a count
};

// The sense of the column called name: from a word in it that names a quantity (latency, wait,
// dropped, carried, MBps), else from its unit, which only implies not negative; other names tell
// nothing.
struct column_sense column_sense(const char *name);

// ---- compare_report.c
// The tables that flitcmp prints.

struct compare_report {
	const struct compare_cells *cells; // settled
	const struct compare_traces
		*traces; // whose distributions are compared, if there are several
	const struct compare_settings *settings;
	int level_percent;
	double accuracy_percent; // wanted of a mean, for the sample sizes
	enum column_better
		better; // of the values compared; if neither, scores prefer the higher one
	bool scores;
	struct opt_list weights; // each a comma-separated list of numbers, one for each block
	bool differ;		 // result: a pair differs
	size_t pairs;		 // result: pairs compared
};

// Prints the tables. TR_ERROR: malformed weights, an alternative missing in a block to be scored,
// out of memory, or printing failed.
enum tr_status compare_report_print(struct compare_report *report, struct table_style style,
				    FILE *out, struct tr_error *err);

// The name of the cell's alternative.
const char *compare_name(const struct compare_report *report, const struct compare_cell *cell);

// ---- compare_pairs.c

// All pairs of each block, in the order of the alternatives. Sets report->differ and counts
// report->pairs. NULL: out of memory, or two rows of a cell cannot be paired.
struct table *compare_pairs(struct compare_report *report, struct tr_error *err);

// ---- compare_scores.c
// The score tables of flitcmp.

// The scores of all alternatives in each block, and their means: two tables for the caller to free.
// TR_ERROR: an alternative is missing in a block or has one value, malformed weights, out of
// memory; *scores and *means are NULL then.
enum tr_status compare_scores(const struct compare_report *report, struct table **scores,
			      struct table **means, struct tr_error *err);

// ---- compare_talkers.c

// What changed between any two of report->traces: hosts and pairs by their shares of the payload.
// NULL if out of memory.
struct table *compare_talkers(const struct compare_report *report, struct tr_error *err);

// ---- compare_scores.c

// Adds a column for each of settings->by; fills them with the block's values.
void compare_block_columns(struct table *table, const struct compare_settings *settings);
void compare_put_block(struct table *table, const struct compare_report *report, size_t block);

#endif
