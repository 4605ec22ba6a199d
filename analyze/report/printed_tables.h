// SPDX-License-Identifier: GPL-3.0-or-later
// Reads tables that programs printed, and the curves over load in them.
#ifndef REPORT_PRINTED_TABLES_H
#define REPORT_PRINTED_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include "file/source.h"
#include "stat/intervals/interval.h"
#include "stream/columns_form.h"
#include "stream/run_end.h"
#include "value/status.h"

// ---- printed_tables.c
// Reads tables as the programs print them to a file or pipe (table/table.h, TABLE_TSV) and
// flitsweep collects them, to show them in a report:
//     # title, or none
//     # flitsweep VERSION: command, or none
//     headings, separated by tabs
//     rows
//     # notes
// and a blank line between two tables; also as a spreadsheet writes them (stream/column_table.h).

#define PRINTED_TABLES_MAX 64u
#define PRINTED_COLUMNS_MAX 64u // of one table
#define PRINTED_ROWS_MAX 4096u	// of one table; further ones are counted

// One table; cells are stored by rows.
struct printed_table {
	char *title;   // NULL: none
	char *command; // by which flitsweep made it, after "flitsweep VERSION: "; NULL: none
	char **headings;
	char **cells;
	char *notes; // joined by blanks; NULL: none
	size_t columns, rows;
	size_t left_out; // further rows
};

// The column of a heading; SIZE_MAX without it.
size_t printed_column(const struct printed_table *table, const char *heading);

// The cell of a row; "-" for SIZE_MAX. Lent.
const char *printed_cell(const struct printed_table *table, size_t row, size_t column);

// It as a number; NaN if it is none.
double printed_number(const struct printed_table *table, size_t row, size_t column);

// Zero is a valid empty one.
struct printed_tables {
	struct printed_table *list;
	size_t count;
};

// Whether the source begins as such a file, with a title.
bool printed_tables_begin(struct tr_source *source);

// Reads the rest of source, which stays the caller's. form: separator and decimal sign, if given.
// TR_ERROR with "file:line: reason", and nothing to clear: no table at all, a row not as long as
// the headings, more tables or columns than above, a number that may have a decimal comma, out of
// memory.
enum tr_status printed_tables_read(struct printed_tables *out, struct tr_source *source,
				   const struct column_form *form, struct tr_error *err);

// Frees what it holds; it is empty then.
void printed_tables_clear(struct printed_tables *tables);

// ---- load_curves.c
// Latency and throughput over load, from a table that a sweep collected. Columns are recognised by
// their headings:
//     load or offered        share of the links' rate (0.4, 40%): there must be one of them
//     latency_us             mean, with latency_lo_us and latency_hi_us, or latency_half_us, its
//                            interval
//     p99_us                 99th percentile of the latency
//     carried_MBps or throughput_MBps
//     carried_percent        share of what the links carry
//     class                  only rows of "all" are used, if there are any
//     ended_by, saturated    how the run ended (stream/run_end.h)
//     seed                   rows that differ only in it are replications of one point
// The other columns before class make the configuration and the traffic (load_columns.h), those
// that are not the same in all rows; without a class, those before the first measure.

#define LOAD_NAME_BYTES 160u

// A measure at one load: the mean over the replications; NaN if no row has it. The interval is
// Student's over the replications, kept above 0; for a single row the row's own; else NaN.
struct load_measure {
	double mean;
	struct interval interval;
	size_t n;
};

enum load_quantity {
	LOAD_LATENCY_US,
	LOAD_P99_US,
	LOAD_THROUGHPUT_MBPS,
	LOAD_DRAWN, // those before it
	LOAD_CARRIED_PERCENT = LOAD_DRAWN,
	LOAD_QUANTITIES
};

// If a replication stood still there are no measures: those of the others would be biased towards
// runs that went well.
struct load_point {
	double load;
	struct load_measure of[LOAD_QUANTITIES];
	struct tr_run_end end; // the worst of the replications
	size_t runs, stood;    // replications, and those of them that stood still
};

// points are in rising load. Below saturation throughput is proportional to the load: saturated is
// the first point whose throughput is below LOAD_KEEPS_UP of that extrapolated from the lowest load
// (without a throughput: whose latency is above LOAD_LATENCY_TIMES the lowest load's), or the first
// that did not end as it should; SIZE_MAX if there is none.
struct load_curve {
	char name[LOAD_NAME_BYTES]; // of the configuration: "arity=4 routing=adaptive", of one
				    // column the cell; "" if there is only one
	size_t configuration;	    // its number, in the order of the table
	size_t group;		    // curves of the same traffic
	const struct load_point *points;
	size_t count;
	size_t saturated;
};

#define LOAD_KEEPS_UP 0.9
#define LOAD_LATENCY_TIMES 10

// Zero is a valid empty one.
struct load_curves {
	struct load_curve *list; // by group, then by configuration
	size_t count;
	struct load_point *points;
	char (*groups)[LOAD_NAME_BYTES]; // their traffic, named as configurations are; one without
					 // a name if all is alike
	size_t group_count, configurations;
	bool has[LOAD_QUANTITIES];
	bool drained; // some runs ended with their traffic, when all that waited was delivered
	char varied[LOAD_NAME_BYTES];  // headings by which configurations differ, with commas
	char traffic[LOAD_NAME_BYTES]; // headings by which groups differ
	char shared[LOAD_NAME_BYTES];  // what all rows have in common, as "nodes=64"
	char follows[LOAD_NAME_BYTES]; // headings that a configuration determines
};

// Whether curves take numbers from the column of this heading.
bool load_curves_use(const char *heading);

// Fills curves from a table, intervals at level; leaves them empty if the table has no load, no
// measure, or fewer than two loads. TR_ERROR if out of memory.
enum tr_status load_curves_make(struct load_curves *curves, const struct printed_table *table,
				double level, struct tr_error *err);

// Frees what it holds; it is empty then.
void load_curves_clear(struct load_curves *curves);

#endif
