// SPDX-License-Identifier: GPL-3.0-or-later
// The table that a sweep writes: the rows of one table of every run, its parameters before them.
#ifndef REPLAY_SWEEP_RESULTS_H
#define REPLAY_SWEEP_RESULTS_H

#include <stdbool.h>
#include <stdio.h>

#include "sweep_grid.h"

#define SWEEP_TABLES_MAX 8u

// Zero, but for what the caller sets, before sweep_results_open.
struct sweep_results {
	const struct sweep_grid *grid;	 // set by the caller
	const char *name;		 // of the file, for messages
	const char *first_line;		 // what it was made by, without the newline
	size_t tables[SWEEP_TABLES_MAX]; // of each run's output, from 1, side by side
	size_t table_count;
	FILE *out;
	char *columns; // of the programs' table; NULL before they are known
	bool *done;    // by run: its rows are in the file
};

// Starts to write to out (which is lent), of which nothing was written before. TR_ERROR for memory.
enum tr_status sweep_results_start(struct sweep_results *results, FILE *out, struct tr_error *err);

// Opens the file called results->name to go on with: what is there is read, runs whose rows it has
// are done, and rows of the last one, which may be cut, are taken away. An absent file is made.
// TR_ERROR where it was made by something else or cannot be read and written.
enum tr_status sweep_results_open(struct sweep_results *results, struct tr_error *err);

// Takes "1" or "1,2" for the tables. TR_ERROR: not such a list.
enum tr_status sweep_results_tables(struct sweep_results *results, const char *list, struct tr_error *err);

// Writes the rows of a run. text: its output, tables of tab-separated values with a line of headings,
// a blank line between two; lines that begin with # do not count. Of several tables, which have the
// first column in common, the rows of the first one are followed by what the others have where that column is the same, "-" where
// nothing is. TR_ERROR: no such table in it, no common column, other columns than another run's, or writing failed.
enum tr_status sweep_results_put(struct sweep_results *results, size_t run, const char *text, struct tr_error *err);

// Closes what sweep_results_open opened, frees the rest. TR_ERROR where closing failed.
enum tr_status sweep_results_close(struct sweep_results *results, struct tr_error *err);

#endif
