// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as the programs print them where the output is no terminal (trace/table.h, TABLE_TSV) and flitsweep collects
// them, read back so that they can stand in a report:
//	# title, or none
//	headings, separated by tabs
//	rows
//	# notes
// and a blank line between two tables.
#ifndef REPORT_PRINTED_TABLES_H
#define REPORT_PRINTED_TABLES_H

#include <stddef.h>

#include "trace/source.h"
#include "trace/status.h"

#define PRINTED_TABLES_MAGIC "# "
#define PRINTED_TABLES_MAX 64u
#define PRINTED_COLUMNS_MAX 24u // of one table
#define PRINTED_ROWS_MAX 4096u	// of one table

// One table; cells stand row after row.
struct printed_table {
	char *title; // NULL: none
	char **headings;
	char **cells;
	char *notes; // joined by blanks; NULL: none
	size_t columns, rows;
};

// Zero is a valid empty one.
struct printed_tables {
	struct printed_table *list;
	size_t count;
};

// Reads the rest of source, which stays the caller's. TR_ERROR with "file:line: reason", and nothing to clear: no table
// at all, a row of another length than its headings, more tables, columns or rows than above, no
// memory.
enum tr_status printed_tables_read(struct printed_tables *out, struct tr_source *source, struct tr_error *err);

void printed_tables_clear(struct printed_tables *tables);

#endif
