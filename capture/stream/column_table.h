// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a plain table, as spreadsheets, R, Python and tshark write them: separators, quotes, a
// line of names, row names, a byte order mark, decimal commas. What could be read in two ways is an
// error that says what to type.
#ifndef STREAM_COLUMN_TABLE_H
#define STREAM_COLUMN_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file/source.h"
#include "stream/columns_form.h"
#include "stream/lines.h"
#include "value/status.h"

#define COLUMN_CELLS_MAX 1024u // cells read of a line
#define COLUMN_NOTE_BYTES 320u

// Zero except for lines.source, form and the rules is valid before the first row.
struct column_table {
	struct column_form form; // filled by column_form_parse
	struct tr_lines lines;
	// Rules.
	unsigned choose;   // take the first columns for so many fields if the form names none; more
			   // columns are refused
	bool ends_comment; // a # after a blank begins a comment, not only one at the start of a
			   // line
	bool uneven;	   // rows may have fewer or more cells than the first
	const char *end;   // a line that begins so is the end; NULL: none
	// A table as programs print it: its first line, which alone says the separator, has names;
	// cells are any text, and an empty line ends it.
	bool printed;
	void (*remark)(void *context, const char *text); // takes what follows "# "; NULL: none
	void *context;

	char *cells[COLUMN_CELLS_MAX]; // of the row; lent until the next call
	size_t count;
	char note[COLUMN_NOTE_BYTES]; // which columns were taken of how many; "" if all of no name;
				      // from the first row on

	bool chosen; // by choose
	bool begun;
	bool maybe_decimal_comma; // all rows so far could be one number
	char *head;		  // the first line
	char *names[COLUMN_CELLS_MAX];
	size_t name_count; // 0: the first line holds no names
	size_t width;	   // cells of the first row
	uint64_t rows;
	bool more; // printed: an empty line ended it, and another may follow
};

// Reads the next row into cells. TR_END after the last. TR_ERROR names the file and the line.
enum tr_status column_table_next(struct column_table *table, struct tr_error *err);

// Begins the next printed table after one that an empty line ended.
void column_table_again(struct column_table *table);

// The column of this name, from 0; SIZE_MAX if there is none.
size_t column_table_find(const struct column_table *table, const char *name, size_t name_bytes);

// The cell of a field; NULL if it is not wanted. TR_ERROR if the row is too short.
enum tr_status column_table_cell(const struct column_table *table, size_t field, const char **cell,
				 struct tr_error *err);

// Fails because the row, and all before it, could be one number with a decimal comma or two.
// Returns TR_ERROR.
enum tr_status column_table_fail_doubtful(const struct column_table *table, struct tr_error *err);

// Frees its memory, not the source.
void column_table_clear(struct column_table *table);

#endif
