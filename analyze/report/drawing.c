// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/drawing.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/figure.h"
#include "stat/nodes/discovery.h"
#include "value/number.h"

// ---- distributions

#define PLACES 500
#define PLACES_A_DECADE 24

void distribution_below(struct figure *figure, const struct quantile *quantile, double unit,
			double least)
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

void distribution_above(struct figure *figure, const struct quantile *quantile, double unit,
			double least)
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

const char *node_label(const struct tr_names *names, uint32_t node, size_t max,
		       char out[TEXT_LABEL_BYTES])
{
	if (!names) {
		(void)snprintf(out, TEXT_LABEL_BYTES, "node%u", node);
		return out;
	}
	return text_shorten(discovery_node_name(names, node), max, out);
}

static int by_chosen_id(const void *a, const void *b)
{
	const struct node_bytes *x = a, *y = b;

	return (x->node > y->node) - (x->node < y->node);
}

size_t nodes_choose(const struct matrix *matrix, uint32_t chosen[NODES_SHOWN], size_t *all)
{
	struct node_bytes *ends = matrix_nodes(matrix, all);
	size_t count = *all < NODES_SHOWN ? *all : NODES_SHOWN;

	if (!ends)
		return 0;
	qsort(ends, count, sizeof(*ends), by_chosen_id);
	for (size_t i = 0; i < count; i++)
		chosen[i] = ends[i].node;
	free(ends);
	return count;
}

static size_t pairs_without_bytes(const struct matrix *matrix)
{
	size_t count = 0;

	for (size_t i = 0; i < matrix->pairs; i++)
		count += matrix->cells[i].size_bytes == 0;
	return count < matrix->pairs ? count : 0;
}

size_t pairs_choose(const struct matrix *matrix, const struct matrix_cell **chosen, size_t max)
{
	const bool empty_too = pairs_without_bytes(matrix) == 0;
	size_t count = 0;

	for (size_t i = 0; i < matrix->pairs; i++) {
		const struct matrix_cell *cell = &matrix->cells[i];
		size_t at;

		if ((cell->size_bytes == 0 && !empty_too) ||
		    (count == max && !matrix_is_before(cell, chosen[count - 1])))
			continue;
		count += count < max;
		for (at = count - 1; at > 0 && matrix_is_before(cell, chosen[at - 1]); at--)
			chosen[at] = chosen[at - 1];
		chosen[at] = cell;
	}
	return count;
}

const char *ranking_title(char out[TEXT_LABEL_BYTES], const char *what, size_t listed, size_t all)
{
	if (listed < all)
		(void)snprintf(out, TEXT_LABEL_BYTES, "The %zu %s with the most payload", listed,
			       what);
	else
		(void)snprintf(out, TEXT_LABEL_BYTES, "%c%s by payload", *what - 'a' + 'A',
			       what + 1);
	return out;
}

void note_unlisted(struct table *table, size_t count, const char *one, const char *more)
{
	if (count > 0)
		table_note(table, "%s further %s%s not listed%s.", number_count(count).text, one,
			   count == 1 ? " is" : "s are", more);
}

void pairs_note(struct table *table, const struct matrix *matrix, size_t listed, const char *more)
{
	const size_t empty = pairs_without_bytes(matrix);

	note_unlisted(table, matrix->pairs - listed - empty, "pair", more);
	if (empty > 0)
		table_note(table, "%s pair%s without payload left out.", number_count(empty).text,
			   empty == 1 ? "" : "s");
}

// ---- heat maps

#define HEIGHT_MIN 330
#define HEIGHT_MAX 520
#define WIDE_PLACES 13 // from here on the panel is
#define WIDE 640
#define PLACES_SHOWN (HEAT_NODES + 1) // with others

bool heat_order_find(struct heat_order *order, const struct matrix *matrix,
		     const struct tr_names *names)
{
	size_t all;
	struct node_bytes *ranked = matrix_nodes(matrix, &all);

	order->count = all < HEAT_NODES ? all : HEAT_NODES;
	for (size_t i = 0; i < order->count; i++) {
		order->nodes[i] = ranked[i].node;
		(void)node_label(names, ranked[i].node, HEAT_LABEL, order->labels[i]);
	}
	free(ranked);
	return ranked != NULL;
}

// What passes between the nodes shown, others last where there are any.
struct heat_cells {
	const struct heat_order *order;
	size_t others; // nodes that are joined
	size_t places; // nodes, or one more
	struct matrix_cell cells[PLACES_SHOWN][PLACES_SHOWN];
};

static size_t place_in_map(const struct heat_cells *heat, uint32_t node)
{
	size_t i = 0;

	while (i < heat->order->count && heat->order->nodes[i] != node)
		i++;
	return i;
}

// False if out of memory.
static bool count_places(struct heat_cells *heat, const struct matrix *matrix)
{
	size_t all;
	struct node_bytes *ranked = matrix_nodes(matrix, &all);

	for (size_t i = 0; i < all; i++)
		heat->others += place_in_map(heat, ranked[i].node) == heat->order->count;
	heat->places = heat->order->count + (heat->others > 0);
	free(ranked);
	return ranked != NULL;
}

static void sum_cells(struct heat_cells *heat, const struct matrix *matrix)
{
	for (size_t i = 0; i < matrix->pairs; i++) {
		const struct matrix_cell *cell = &matrix->cells[i];
		struct matrix_cell *into =
			&heat->cells[place_in_map(heat, cell->src)][place_in_map(heat, cell->dst)];

		into->packets += cell->packets;
		into->size_bytes += cell->size_bytes;
	}
}

static double drawing_value_of(const struct heat_map *map, const struct matrix_cell *cell)
{
	if (cell->packets == 0)
		return 0;
	if (map->value == HEAT_BYTES)
		return (double)cell->size_bytes;
	if (map->value == HEAT_RATE)
		return 8e-6 * (double)cell->size_bytes / map->seconds;
	return (double)cell->size_bytes / (double)cell->packets / (double)map->ticks_per_s * 1e6;
}

// Widens the range, lo > hi at first, to the cells.
static void include_cells(const struct heat_map *map, const struct heat_cells *heat, double *lo,
			  double *hi)
{
	for (size_t i = 0; i < heat->places * heat->places; i++) {
		const double value = drawing_value_of(
			map, &heat->cells[i / heat->places][i % heat->places]);

		if (!(value > 0))
			continue;
		*lo = fmin(*lo, value);
		*hi = fmax(*hi, value);
	}
}

// False if out of memory.
static bool fill_cells(struct heat_cells *heat, const struct matrix *matrix)
{
	if (!count_places(heat, matrix))
		return false;
	sum_cells(heat, matrix);
	return true;
}

// The values of the map, and of those with the same scale. False if out of memory.
static bool drawing_find_range(const struct heat_map *map, const struct heat_cells *heat,
			       double *lo, double *hi)
{
	bool whole = true;

	*lo = INFINITY;
	*hi = 0;
	include_cells(map, heat, lo, hi);
	for (size_t i = 0; i < map->alike_count; i++) {
		struct heat_cells other = {.order = heat->order};
		struct heat_map alike = *map;

		if (map->alike_seconds)
			alike.seconds = map->alike_seconds[i];
		whole = fill_cells(&other, &map->alike[i]) && whole;
		include_cells(&alike, &other, lo, hi);
	}
	return whole;
}

// Sets the heat scale; returns the divisor of the values.
static double set_scale(struct figure *figure, struct plot *plot, const struct heat_map *map,
			double lo, double hi)
{
	struct number_unit unit = map->value == HEAT_BYTES
					  ? number_bytes_unit(hi)
					  : (struct number_unit){1, map->value == HEAT_RATE ? "Mb/s"
											    : "µs"};
	bool log = hi / lo > 100;
	char label[80];

	(void)snprintf(label, sizeof(label), "%s (%s)", map->label, unit.name);
	figure_heat(figure, label, log, log ? lo / unit.factor : 0, hi / unit.factor);
	if (log)
		axis_decades(figure, &plot->heat, lo / unit.factor, hi / unit.factor);
	return unit.factor;
}

static void set_axis(struct figure *figure, struct axis *axis, const struct heat_cells *heat)
{
	char label[TEXT_LABEL_BYTES];

	for (size_t i = 0; i < heat->order->count; i++)
		figure_tic(figure, axis, (double)i, heat->order->labels[i]);
	(void)snprintf(label, sizeof(label), "%zu others", heat->others);
	if (heat->others > 0)
		figure_tic(figure, axis, (double)heat->order->count, label);
}

static void add_cells(struct figure *figure, const struct heat_map *map,
		      const struct heat_cells *heat, double factor)
{
	figure_curve(figure, CURVE_CELLS, 1, NULL);
	for (size_t y = 0; y < heat->places; y++)
		for (size_t x = 0; x < heat->places; x++)
			if (drawing_value_of(map, &heat->cells[y][x]) > 0)
				figure_row(figure, (double)x, (double)y,
					   drawing_value_of(map, &heat->cells[y][x]) / factor, 0);
}

void heat_map_add(struct figure *figure, const struct matrix *matrix, const struct tr_names *names,
		  const struct heat_map *map)
{
	struct heat_order own = {.count = 0};
	struct heat_cells heat = {.order = map->order ? map->order : &own};
	double lo, hi;
	struct plot *plot;

	if ((!map->order && !heat_order_find(&own, matrix, names)) || !fill_cells(&heat, matrix))
		figure->failed = true;
	if (heat.places >= WIDE_PLACES)
		figure->width = WIDE;
	figure_panel(figure, map->title,
		     map->height > 0 ? map->height
				     : fmin(HEIGHT_MAX, HEIGHT_MIN + 7.6 * (double)heat.places));
	figure_about(figure,
		     "Heat map of %zu by %zu nodes: %s from each source to each destination.",
		     heat.places, heat.places, map->label);
	plot = figure_plot(figure, "destination", "source");
	figure->failed |= !drawing_find_range(map, &heat, &lo, &hi);
	plot->x.lo = -0.5;
	plot->x.hi = (double)heat.places - 0.5;
	plot->y.lo = (double)heat.places - 0.5;
	plot->y.hi = -0.5;
	set_axis(figure, &plot->x, &heat);
	set_axis(figure, &plot->y, &heat);
	if (hi > 0)
		add_cells(figure, map, &heat, set_scale(figure, plot, map, lo, hi));
}
