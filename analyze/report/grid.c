// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/grid.h"

#include <inttypes.h>
#include <math.h>
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

// Makes room for one more cell.
static bool reserve(struct grid *grid)
{
	size_t capacity = grid->cell_capacity ? 2 * grid->cell_capacity : 32;
	char **more;

	if (grid->cell_count < grid->cell_capacity)
		return true;
	more = reallocarray(grid->cells, capacity, sizeof *more);
	if (more)
		grid->cells = more;
	if (more && (more = reallocarray(grid->exact, capacity, sizeof *more)))
		grid->exact = more;
	if (!more) {
		grid->failed = true;
		return false;
	}
	grid->cell_capacity = capacity;
	return true;
}

static void add_cell(struct grid *grid, const char *text, const char *exact)
{
	if (!reserve(grid))
		return;
	grid->exact[grid->cell_count] = exact ? copy(grid, exact) : NULL;
	grid->cells[grid->cell_count++] = copy(grid, text);
}

static void add_value(struct grid *grid, struct number shown, double value)
{
	char exact[40];

	(void)snprintf(exact, sizeof exact, "%.9g", value);
	add_cell(grid, shown.text, isfinite(value) ? exact : NULL);
}

static void add_interval(struct grid *grid, struct number shown, double lo, double hi)
{
	char exact[80];

	(void)snprintf(exact, sizeof exact, "%.9g to %.9g", lo, hi);
	add_cell(grid, shown.text, isfinite(lo) && isfinite(hi) ? exact : NULL);
}

void grid_text(struct grid *grid, const char *text)
{
	add_cell(grid, text ? text : "-", NULL);
}

void grid_count(struct grid *grid, uint64_t value)
{
	char exact[24];

	(void)snprintf(exact, sizeof exact, "%" PRIu64, value);
	add_cell(grid, number_count(value).text, exact);
}

void grid_real(struct grid *grid, double value, int digits)
{
	add_value(grid, number_real(value, digits), value);
}

void grid_range(struct grid *grid, double lo, double hi, int digits)
{
	add_interval(grid, number_range(lo, hi, digits), lo, hi);
}

void grid_error(struct grid *grid, double value, double lo, double hi)
{
	add_value(grid, number_error(value, lo, hi), value);
}

void grid_error_range(struct grid *grid, double lo, double hi)
{
	add_interval(grid, number_error_range(lo, hi), lo, hi);
}

void grid_variance(struct grid *grid, double variance, uint64_t n)
{
	const double half = n > 1 ? sqrt(8 / (double)(n - 1)) * variance : NAN;

	grid_error(grid, variance, variance - half, variance + half);
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

const char *grid_exact(const struct grid *grid, size_t row, size_t column)
{
	size_t at = row * grid->column_count + column;

	return at < grid->cell_count && grid->exact[at] ? grid->exact[at] : grid_cell(grid, row, column);
}

void grid_clear(struct grid *grid)
{
	for (size_t i = 0; i < grid->column_count; i++)
		free(grid->columns[i].heading);
	for (size_t i = 0; i < grid->cell_count; i++) {
		free(grid->cells[i]);
		free(grid->exact[i]);
	}
	free(grid->columns);
	free(grid->cells);
	free(grid->exact);
	free(grid->caption);
	free(grid->note);
	*grid = (struct grid){.caption = NULL};
}
