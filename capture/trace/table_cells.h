// SPDX-License-Identifier: GPL-3.0-or-later
// What a table holds: for table.c, which fills it, and table_print.c, which prints it.
#ifndef TRACE_TABLE_CELLS_H
#define TRACE_TABLE_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/table.h"

enum table_cell_type {
	TABLE_CELL_NONE, TABLE_CELL_TEXT, TABLE_CELL_DECIMAL, TABLE_CELL_COUNT, TABLE_CELL_SIGNED, TABLE_CELL_REAL,
};

struct table_cell {
	uint8_t type;   // enum table_cell_type
	uint8_t digits; // of a real
	union {
		char *text; // owned; of a decimal too
		uint64_t count;
		int64_t whole;
		double real;
	};
};

// cells stand row after row; the last row may lack some.
struct table {
	char *name;
	char *title; // NULL: none
	char **columns;
	size_t column_count, column_capacity;
	struct table_cell *cells;
	size_t cell_count, cell_capacity;
	char **notes;
	size_t note_count, note_capacity;
	bool failed; // memory ended
};

// The cell as text and TSV show it: in out or the cell's own text.
const char *table_cell_text(const struct table_cell *cell, char *out, size_t out_bytes);

#endif
