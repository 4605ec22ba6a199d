// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Number of a name, made where it is new or fresh; SIZE_MAX without memory.
static size_t name_number(struct compare_names *names, const char *name, bool fresh)
{
	char **more;

	for (size_t i = 0; !fresh && i < names->count; i++)
		if (strcmp(names->names[i], name) == 0)
			return i;
	more = reallocarray(names->names, names->count + 1, sizeof(*more));
	if (!more)
		return SIZE_MAX;
	names->names = more;
	more[names->count] = strdup(name);
	return more[names->count] ? names->count++ : SIZE_MAX;
}

size_t compare_alternative(struct compare_cells *cells, const char *name, bool fresh)
{
	return name_number(&cells->alternatives, name, fresh);
}

const struct compare_cell *compare_cell_find(const struct compare_cells *cells, size_t block, size_t alternative)
{
	for (size_t i = 0; i < cells->count; i++)
		if (cells->cells[i].block == block && cells->cells[i].alternative == alternative)
			return &cells->cells[i];
	return NULL;
}

struct compare_cell *compare_cell_get(struct compare_cells *cells, const char *block, size_t alternative)
{
	size_t number = name_number(&cells->blocks, block, false);
	const struct compare_cell *found = compare_cell_find(cells, number, alternative);
	struct compare_cell *more;

	if (found)
		return &cells->cells[found - cells->cells];
	more = reallocarray(cells->cells, cells->count + 1, sizeof(*more));
	if (!more || number == SIZE_MAX || alternative == SIZE_MAX) {
		cells->cells = more ? more : cells->cells;
		return NULL;
	}
	cells->cells = more;
	more[cells->count] = (struct compare_cell){.block = number, .alternative = alternative};
	return &more[cells->count++];
}

bool compare_add(struct compare_cell *cell, double value)
{
	if (cell->n == cell->room) {
		size_t room = cell->room ? 2 * cell->room : 16;
		double *more = reallocarray(cell->values, room, sizeof(*more));

		if (!more)
			return false;
		cell->values = more;
		cell->room = room;
	}
	cell->values[cell->n++] = value;
	return true;
}

static int in_order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void settle(struct compare_cell *cell)
{
	double sum = 0, squares = 0, mean;

	qsort(cell->values, cell->n, sizeof(*cell->values), in_order);
	for (size_t i = 0; i < cell->n; i++)
		sum += cell->values[i] - cell->values[0];
	mean = cell->values[0] + sum / (double)cell->n;
	for (size_t i = 0; i < cell->n; i++)
		squares += (cell->values[i] - mean) * (cell->values[i] - mean);
	cell->sample = (struct sample){
		.mean = mean, .sd = cell->n > 1 ? sqrt(squares / (double)(cell->n - 1)) : NAN, .n = (double)cell->n};
}

void compare_settle(struct compare_cells *cells)
{
	for (size_t i = 0; i < cells->count; i++)
		if (cells->cells[i].n > 0)
			settle(&cells->cells[i]);
}

static void clear_names(struct compare_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->names[i]);
	free(names->names);
}

void compare_clear(struct compare_cells *cells)
{
	for (size_t i = 0; i < cells->count; i++)
		free(cells->cells[i].values);
	free(cells->cells);
	clear_names(&cells->blocks);
	clear_names(&cells->alternatives);
	*cells = (struct compare_cells){0};
}
