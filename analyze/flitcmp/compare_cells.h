// SPDX-License-Identifier: GPL-3.0-or-later
// What flitcmp compares: for each block (a topology, a class) and alternative (a file, or a value of a
// column) the values of one column over the replications.
#ifndef ANALYZE_COMPARE_CELLS_H
#define ANALYZE_COMPARE_CELLS_H

#include "stat/compare.h"
#include "trace/opt.h"
#include "trace/source.h"

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

#endif
