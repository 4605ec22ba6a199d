// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/grid.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/number.h"

static char *copy(struct grid *grid, const char *text)
{
	char *made = strdup(text);

	if (!made)
		grid->failed = true;
	return made;
}

static void add_column(struct grid *grid, const char *heading, bool words)
{
	struct grid_column *more = NULL;

	if (grid->column_count < GRID_COLUMNS_MAX)
		more = reallocarray(grid->columns, grid->column_count + 1, sizeof *more);
	if (!more) {
		grid->failed = true;
		return;
	}
	grid->columns = more;
	more[grid->column_count++] =
		(struct grid_column){.heading = copy(grid, heading), .words = words};
}

void grid_numbers(struct grid *grid, const char *heading)
{
	add_column(grid, heading, false);
}

void grid_words(struct grid *grid, const char *heading)
{
	add_column(grid, heading, true);
}

void grid_text(struct grid *grid, const char *text)
{
	if (grid->cell_count == grid->cell_capacity) {
		size_t capacity = grid->cell_capacity ? 2 * grid->cell_capacity : 32;
		char **more = reallocarray(grid->cells, capacity, sizeof *more);

		if (!more) {
			grid->failed = true;
			return;
		}
		grid->cells = more;
		grid->cell_capacity = capacity;
	}
	grid->cells[grid->cell_count++] = copy(grid, text ? text : "-");
}

void grid_count(struct grid *grid, uint64_t value)
{
	grid_text(grid, number_count(value).text);
}

void grid_real(struct grid *grid, double value, int digits)
{
	grid_text(grid, number_real(value, digits).text);
}

void grid_range(struct grid *grid, double lo, double hi, int digits)
{
	grid_text(grid, number_range(lo, hi, digits).text);
}

void grid_note(struct grid *grid, const char *format, ...)
{
	va_list args;

	free(grid->note);
	va_start(args, format);
	if (vasprintf(&grid->note, format, args) < 0) {
		grid->note = NULL;
		grid->failed = true;
	}
	va_end(args);
}

size_t grid_rows(const struct grid *grid)
{
	return grid->column_count ?
		       (grid->cell_count + grid->column_count - 1) / grid->column_count : 0;
}

const char *grid_cell(const struct grid *grid, size_t row, size_t column)
{
	size_t at = row * grid->column_count + column;

	return at < grid->cell_count && grid->cells[at] ? grid->cells[at] : "";
}

void grid_clear(struct grid *grid)
{
	for (size_t i = 0; i < grid->column_count; i++)
		free(grid->columns[i].heading);
	for (size_t i = 0; i < grid->cell_count; i++)
		free(grid->cells[i]);
	free(grid->columns);
	free(grid->cells);
	free(grid->caption);
	free(grid->note);
	*grid = (struct grid){.caption = NULL};
}
