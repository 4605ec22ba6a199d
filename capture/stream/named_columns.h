// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a table in text that programs print, by the names of its columns: the first line with all
// these names is its heading, as TSV or CSV. Text before it is skipped; a blank line, a comment or
// the end of the text ends it.
#ifndef STREAM_NAMED_COLUMNS_H
#define STREAM_NAMED_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "stream/lines.h"

#define TR_NAMED_MAX 8u

// Zero except for lines.source, which is lent, and the names is valid before the first row.
struct tr_named_columns {
	struct tr_lines lines;
	const char *names[TR_NAMED_MAX]; // wanted; those behind the last are NULL
	const char *printer; // a program that prints such a table, for errors; NULL: none
	bool found;	     // the heading
	const char *separator;
	size_t columns[TR_NAMED_MAX];
};

// Reads the next row: cells[i], lent until the next call, is that of names[i]. TR_END after the
// last. TR_ERROR names the line that is too short, or says that there is no such table.
enum tr_status tr_named_columns_next(struct tr_named_columns *table, char *cells[TR_NAMED_MAX],
				     struct tr_error *err);

#endif
