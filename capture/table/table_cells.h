// SPDX-License-Identifier: GPL-3.0-or-later
// What a table holds: for table.c, which fills it, and table_print.c and table_html.c, which print
// it.
#ifndef TABLE_TABLE_CELLS_H
#define TABLE_TABLE_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "table/table.h"

enum table_cell_type {
	TABLE_CELL_NONE,
	TABLE_CELL_TEXT,
	TABLE_CELL_DECIMAL,
	TABLE_CELL_COUNT,
	TABLE_CELL_SIGNED,
	TABLE_CELL_REAL,
	TABLE_CELL_ROUNDED, // text: rounded for people and, after its zero byte, with all digits
};

enum table_side { TABLE_SIDE_BY_CELLS, TABLE_SIDE_LEFT, TABLE_SIDE_RIGHT };

struct table_heading {
	char *text;
	enum table_side side;
};

struct table_cell {
	uint8_t type;	// enum table_cell_type
	uint8_t digits; // of a real
	union {
		char *text; // owned; of a decimal and a rounded one too
		uint64_t count;
		int64_t whole;
		double real;
	};
};

// cells are stored by rows; the last row may be incomplete.
struct table {
	char *name;
	char *title; // NULL: none
	struct table_heading *columns;
	size_t column_count, column_capacity;
	struct table_cell *cells;
	size_t cell_count, cell_capacity;
	char **notes;
	size_t note_count, note_capacity;
	const char *word_form; // NULL: the first cell
	uint64_t ticks_per_s;  // of its times; 0: it has none
	bool for_people;
	bool by_name; // printed only if --table names it
	bool failed;  // out of memory
};

#define TABLE_CELL_BYTES 64

// The cell as shown to people, or as in TSV and CSV: in out, or the cell's own text. They differ in
// a table for people.
const char *table_cell_shown(const struct table *table, size_t row, size_t column,
			     char out[TABLE_CELL_BYTES]);
const char *table_cell_exact(const struct table *table, size_t row, size_t column,
			     char out[TABLE_CELL_BYTES]);

// A missing cell of the last row has no value.
const struct table_cell *table_cell_at(const struct table *table, size_t row, size_t column);

// Whether all cells of the column are numbers or missing, or it was made for numbers.
bool table_is_right(const struct table *table, size_t column);

// Whether it is one row without a title: an object, whose columns are its keys.
bool table_is_object(const struct table *table);

// ---- table_only.c
// Whether the names to print are the word list; a table of the names of all, never NULL.
bool table_only_lists(const struct opt_list *only);
struct table *table_only_names(struct table *const *tables, size_t count);

// Puts the tables to print into chosen, which has room for count: those named, or all if none is.
// TR_ERROR: a name is unknown.
enum tr_status table_only_choose(const struct opt_list *only, struct table *const *tables,
				 size_t count, struct table **chosen, size_t *chosen_count,
				 struct tr_error *err);

#endif
