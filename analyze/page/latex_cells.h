// SPDX-License-Identifier: GPL-3.0-or-later
// The cells of a table as a paper has them: the unit of a column in its head, and numbers apart
// from words.
#ifndef PAGE_LATEX_CELLS_H
#define PAGE_LATEX_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "table/table.h"
#include "value/status.h"

struct latex_column {
	char *head;
	bool right;
	bool equations;
	size_t after[2]; // most characters from the decimal point on, in a number or the two of an
			 // interval
};

struct latex_cells {
	size_t columns, rows;
	struct latex_column *column;
	char **cells; // by rows
};

// Copies the shown cells of the table; one row without a title becomes rows of a name and a value.
// TR_ERROR if out of memory. Close it in any case.
enum tr_status latex_cells_open(struct latex_cells *cells, const struct table *table,
				struct tr_error *err);
void latex_cells_close(struct latex_cells *cells);

// The text of a cell; lent until latex_cells_close.
const char *latex_cell(const struct latex_cells *cells, size_t row, size_t column);

// Writes a cell: numbers of a column end in invisible zeros, so that their points are below each
// other. Words of more than longest characters may break.
void latex_cell_write(const struct latex_cells *cells, size_t row, size_t column, size_t longest,
		      FILE *out);

// Width in points at 10 points, with the invisible zeros.
double latex_cell_width(const struct latex_cells *cells, size_t row, size_t column);

// How many of the first columns tell the rows apart, at most so many; 1 if they do not.
size_t latex_cells_keys(const struct latex_cells *cells, size_t most);

#endif
