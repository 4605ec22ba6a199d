// SPDX-License-Identifier: GPL-3.0-or-later
// A table of a page: columns with headings, cells as people read them.
#ifndef REPORT_GRID_H
#define REPORT_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GRID_COLUMNS_MAX 24u

struct grid_column {
	char *heading; // what and its unit
	bool words;    // left-aligned; else numbers, right-aligned
};

// Owned by the page that made it. cells stand row after row; the last row may lack some.
struct grid {
	char *caption;
	struct grid_column *columns;
	size_t column_count;
	char **cells;  // as people read them
	char **exact;  // the same cells with all digits, for who reads them by machine; an item is NULL where it is the same
	size_t cell_count, cell_capacity;
	char *note; // below the table, or NULL
	bool facts; // one row, shown as key numbers with their headings
	bool failed; // memory ended, or too many columns
};

// Adds a column before the first cell. All texts are copied.
void grid_numbers(struct grid *grid, const char *heading);
void grid_words(struct grid *grid, const char *heading);

// The next cell; a NULL text is "-".
void grid_text(struct grid *grid, const char *text);
void grid_count(struct grid *grid, uint64_t value);
void grid_real(struct grid *grid, double value, int digits);
void grid_range(struct grid *grid, double lo, double hi, int digits);

// A value, or the interval itself, rounded by its interval (number_error).
void grid_error(struct grid *grid, double value, double lo, double hi);
void grid_error_range(struct grid *grid, double lo, double hi);

// A variance of n values, rounded by two standard errors of one of independent normal values: sqrt(8 / (n - 1)) of it.
void grid_variance(struct grid *grid, double variance, uint64_t n);

// A sentence below the table; the last one holds.
void grid_note(struct grid *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));

size_t grid_rows(const struct grid *grid);

// The cell's text, "" where the last row lacks it.
const char *grid_cell(const struct grid *grid, size_t row, size_t column);

// The same with all digits, without commas.
const char *grid_exact(const struct grid *grid, size_t row, size_t column);

// Frees what the grid holds, not the struct.
void grid_clear(struct grid *grid);

#endif
