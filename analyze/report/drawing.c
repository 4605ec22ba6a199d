// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/drawing.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/figure.h"
#include "trace/number.h"

// ---- distributions

#define PLACES 500
#define PLACES_A_DECADE 24

void distribution_below(struct figure *figure, const struct quantile *quantile, double unit, double least)
{
	struct quantile_walk walk = {.of = quantile};
	double reached = 0, share;
	uint64_t last = 0;

	for (int i = 0; i <= PLACES && quantile->n > 0; i++) {
		uint64_t value = quantile_walk_to(&walk, (double)i / PLACES, &share);
		double x = fmax((double)value * unit, least);

		if (i > 0 && value == last)
			continue;
		figure_row(figure, x, reached, 0, 0);
		reached = share;
		figure_row(figure, x, reached, 0, 0);
		last = value;
	}
}

void distribution_above(struct figure *figure, const struct quantile *quantile, double unit, double least)
{
	struct quantile_walk walk = {.of = quantile};
	double left = 1, share;
	uint64_t last = 0;

	for (int i = 0; quantile->n > 0; i++) {
		double above = pow(10, -(double)i / PLACES_A_DECADE);
		uint64_t value = quantile_walk_to(&walk, 1 - above, &share);
		double x = fmax((double)value * unit, least);

		if (above * (double)quantile->n < 0.5)
			break;
		if (i > 0 && value == last)
			continue;
		figure_row(figure, x, left, 0, 0);
		left = 1 - share;
		if (left > 0)
			figure_row(figure, x, left, 0, 0);
		last = value;
	}
}

// ---- nodes

const char *node_label(const struct tr_names *names, uint32_t node, size_t max, char out[TEXT_LABEL_BYTES])
{
	if (!names) {
		(void)snprintf(out, TEXT_LABEL_BYTES, "node%u", node);
		return out;
	}
	return text_shorten(tr_names_node(names, node), max, out);
}

struct node_bytes {
	uint32_t node;
	uint64_t size_bytes;
};

static int by_node(const void *a, const void *b)
{
	const struct node_bytes *x = a, *y = b;

	return (x->node > y->node) - (x->node < y->node);
}

static int by_bytes(const void *a, const void *b)
{
	const struct node_bytes *x = a, *y = b;

	if (x->size_bytes != y->size_bytes)
		return x->size_bytes < y->size_bytes ? 1 : -1;
	return by_node(a, b);
}

// One row for each end of each pair.
static size_t list_ends(const struct matrix *matrix, struct node_bytes *ends)
{
	size_t count = 0;

	for (size_t i = 0; i < matrix->pairs; i++) {
		const struct matrix_cell *cell = &matrix->cells[i];

		ends[count++] = (struct node_bytes){cell->src, cell->size_bytes};
		ends[count++] = (struct node_bytes){cell->dst, cell->size_bytes};
	}
	return count;
}

// Joins the rows of a node; returns how many nodes there are.
static size_t join_ends(struct node_bytes *ends, size_t count)
{
	size_t nodes = 0;

	qsort(ends, count, sizeof(*ends), by_node);
	for (size_t i = 0; i < count; i++)
		if (nodes > 0 && ends[nodes - 1].node == ends[i].node)
			ends[nodes - 1].size_bytes += ends[i].size_bytes;
		else
			ends[nodes++] = ends[i];
	return nodes;
}

size_t nodes_choose(const struct matrix *matrix, uint32_t chosen[NODES_SHOWN], size_t *all)
{
	struct node_bytes *ends = calloc(2 * matrix->pairs + 1, sizeof(*ends));
	size_t count;

	*all = 0;
	if (!ends)
		return 0;
	*all = join_ends(ends, list_ends(matrix, ends));
	qsort(ends, *all, sizeof(*ends), by_bytes);
	count = *all < NODES_SHOWN ? *all : NODES_SHOWN;
	qsort(ends, count, sizeof(*ends), by_node);
	for (size_t i = 0; i < count; i++)
		chosen[i] = ends[i].node;
	free(ends);
	return count;
}

static bool is_before(const struct matrix_cell *a, const struct matrix_cell *b)
{
	if (a->size_bytes != b->size_bytes)
		return a->size_bytes > b->size_bytes;
	if (a->packets != b->packets)
		return a->packets > b->packets;
	return a->src != b->src ? a->src < b->src : a->dst < b->dst;
}

size_t pairs_choose(const struct matrix *matrix, const struct matrix_cell **chosen, size_t max)
{
	size_t count = 0;

	for (size_t i = 0; i < matrix->pairs; i++) {
		const struct matrix_cell *cell = &matrix->cells[i];
		size_t at;

		if (count == max && !is_before(cell, chosen[count - 1]))
			continue;
		count += count < max;
		for (at = count - 1; at > 0 && is_before(cell, chosen[at - 1]); at--)
			chosen[at] = chosen[at - 1];
		chosen[at] = cell;
	}
	return count;
}

// ---- heat maps

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

// Sets the heat scale; returns the divisor of the values.
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

// Sorts nodes by name, numbers in names by value; then by id.
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
