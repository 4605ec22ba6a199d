// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/heat_map.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "page/axis_tics.h"
#include "report/node_names.h"
#include "trace/number.h"

#define HEIGHT_MIN 330
#define HEIGHT_MAX 440
#define LABEL_CHARACTERS 18
#define LABEL_SHORT 9 // in a panel of a given height
#define TICS_MAX 24
#define TICS_SHORT 12

static double value_of(const struct heat_map *map, const struct matrix_cell *cell)
{
	if (map->value == HEAT_BYTES)
		return (double)cell->size_bytes;
	return (double)cell->size_bytes / (double)cell->packets / (double)map->ticks_per_s * 1e6;
}

static void find_range(const struct heat_map *map, const struct matrix *matrix, double *lo, double *hi)
{
	*lo = INFINITY;
	*hi = 0;
	for (size_t i = 0; i < matrix->pairs; i++) {
		const struct matrix_cell *cell = &matrix->cells[i];

		if (!(value_of(map, cell) > 0))
			continue;
		*lo = fmin(*lo, value_of(map, cell));
		*hi = fmax(*hi, value_of(map, cell));
	}
}

// The scale of the heat; values are divided by what is returned.
static double set_scale(struct figure *figure, struct plot *plot, const struct heat_map *map, double lo, double hi)
{
	struct number_unit unit = map->value == HEAT_BYTES ? number_bytes_unit(hi) : (struct number_unit){1, "µs"};
	bool log = hi / lo > 100;
	char label[80];

	(void)snprintf(label, sizeof(label), "%s (%s)", map->label, unit.name);
	figure_heat(figure, label, log, log ? lo / unit.factor : 0, hi / unit.factor);
	if (log)
		axis_decades(figure, &plot->heat, lo / unit.factor, hi / unit.factor);
	return unit.factor;
}

// Nodes in the order of their names, numbers in them by value; then by id.
static void order_by_name(const struct tr_names *names, uint32_t *nodes, size_t count)
{
	for (size_t i = 1; i < count && names; i++) {
		uint32_t node = nodes[i];
		size_t at = i;

		for (; at > 0 && strverscmp(tr_names_node(names, nodes[at - 1]), tr_names_node(names, node)) > 0; at--)
			nodes[at] = nodes[at - 1];
		nodes[at] = node;
	}
}

static void set_axis(struct figure *figure, struct axis *axis, const struct tr_names *names, const uint32_t *nodes,
		     size_t count, bool small)
{
	char label[TEXT_LABEL_BYTES];
	size_t step = count / (small ? TICS_SHORT : TICS_MAX) + 1;

	for (size_t i = 0; i < count; i += step)
		figure_tic(figure, axis, (double)i, node_label(names, nodes[i], small ? LABEL_SHORT : LABEL_CHARACTERS, label));
}

static void add_cells(struct figure *figure, const struct matrix *matrix, const struct heat_map *map, const uint32_t *nodes,
		      size_t count, double factor)
{
	figure_curve(figure, CURVE_CELLS, 1, NULL);
	for (size_t y = 0; y < count; y++)
		for (size_t x = 0; x < count; x++) {
			const struct matrix_cell *cell = matrix_find(matrix, nodes[y], nodes[x]);

			if (cell && value_of(map, cell) > 0)
				figure_row(figure, (double)x, (double)y, value_of(map, cell) / factor, 0);
		}
}

void heat_map_add(struct figure *figure, const struct matrix *matrix, const struct tr_names *names, const struct heat_map *map)
{
	uint32_t nodes[NODES_SHOWN];
	size_t all, count = nodes_choose(matrix, nodes, &all);
	double lo, hi, factor;
	struct plot *plot;

	order_by_name(names, nodes, count);
	figure_panel(figure, map->title, map->height > 0 ? map->height : fmin(HEIGHT_MAX, HEIGHT_MIN + 6 * (double)count));
	figure_about(figure, "Heat map of %zu by %zu nodes: %s from each source to each destination.", count, count,
		     map->label);
	plot = figure_plot(figure, "destination", "source");
	find_range(map, matrix, &lo, &hi);
	plot->x.lo = -0.5;
	plot->x.hi = (double)count - 0.5;
	plot->y.lo = (double)count - 0.5;
	plot->y.hi = -0.5;
	set_axis(figure, &plot->x, names, nodes, count, map->height > 0);
	set_axis(figure, &plot->y, names, nodes, count, map->height > 0);
	if (!(hi > 0))
		return;
	factor = set_scale(figure, plot, map, lo, hi);
	add_cells(figure, matrix, map, nodes, count, factor);
}
