// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing shared by sections: distributions, and matrices over pairs of nodes with the nodes'
// names.
#ifndef REPORT_DRAWING_H
#define REPORT_DRAWING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "page/figure.h"
#include "stat/intervals/quantile.h"
#include "stat/nodes/matrix.h"
#include "stream/names.h"
#include "table/table.h"
#include "value/escape.h"

// ---- distributions drawn from quantile histograms

// Adds to the newest curve (CURVE_LINE) the share of values up to x, as a staircase of at most
// about 500 steps; x = value * unit, raised to least (for logarithmic axes, which have no 0).
void distribution_below(struct figure *figure, const struct quantile *quantile, double unit,
			double least);

// Adds to the newest curve (CURVE_LINE) the share of values above x, down to the share of one
// value.
void distribution_above(struct figure *figure, const struct quantile *quantile, double unit,
			double least);

// ---- labels of nodes in tables and on axes, and which nodes are shown

#define NODES_SHOWN 48u // rows of messages

// The node's address in at most max characters; "node7" without names; "multicast" for
// DISCOVERY_NODE. Returns out.
const char *node_label(const struct tr_names *names, uint32_t node, size_t max,
		       char out[TEXT_LABEL_BYTES]);

// The nodes of a matrix that send or receive most bytes, at most NODES_SHOWN, in order of id;
// returns their number. *all is the number of all nodes.
size_t nodes_choose(const struct matrix *matrix, uint32_t chosen[NODES_SHOWN], size_t *all);

// The up to max pairs with most bytes, largest first, then by source and destination; pointers into
// the matrix. Returns their number.
size_t pairs_choose(const struct matrix *matrix, const struct matrix_cell **chosen, size_t max);

// "The 10 pairs with the most payload" of more than listed, else "Pairs by payload"; what: "pairs",
// "hosts".
const char *ranking_title(char out[TEXT_LABEL_BYTES], const char *what, size_t listed, size_t all);

// A note for what a table does not list, if anything: "1 further pair is not listed." more: what
// follows, from the comma on.
void note_unlisted(struct table *table, size_t count, const char *one, const char *more);

// The same for pairs that are ranked, and how many have no payload: those that pairs_choose leaves
// out.
void pairs_note(struct table *table, const struct matrix *matrix, size_t listed, const char *more);

// ---- a matrix of node pairs as a panel of a figure

// What a cell shows.
enum heat_value {
	HEAT_BYTES, // the sum, in bytes
	HEAT_RATE,  // the sum over seconds, in Mb/s
	HEAT_MEAN,  // the sum over the number: ticks, shown in microseconds
};

#define HEAT_NODES 24u // shown; the rest are "others"
#define HEAT_LABEL 18u // characters of a label

// Nodes in the order of a map, with their labels.
struct heat_order {
	uint32_t nodes[HEAT_NODES];
	char labels[HEAT_NODES][TEXT_LABEL_BYTES];
	size_t count;
};

// Those with most bytes, that with most first. False if out of memory: then none.
bool heat_order_find(struct heat_order *order, const struct matrix *matrix,
		     const struct tr_names *names);

struct heat_map {
	const char *title;
	const char *label; // of the scale, before its unit
	enum heat_value value;
	uint64_t ticks_per_s;		// of HEAT_MEAN
	double seconds;			// of HEAT_RATE
	double height;			// of the panel; 0: by the number of nodes
	const struct heat_order *order; // NULL: that of the matrix
	const struct matrix *alike;	// matrices with the same scale, of alike_count
	const double *alike_seconds;	// theirs, of HEAT_RATE
	size_t alike_count;
};

// Adds a panel: sources from top to bottom, destinations from left to right, those with most bytes
// first, the rest of the nodes joined as others. The scale is logarithmic if values differ by a
// factor of more than 100.
void heat_map_add(struct figure *figure, const struct matrix *matrix, const struct tr_names *names,
		  const struct heat_map *map);

// ---- load_figures.c

struct load_curves;
struct page;

// Adds figures of the curves over load, titled by title, or without one (NULL) by what varies;
// begin: the first words of the captions.
void load_figures_draw(struct page *page, const struct load_curves *curves, const char *title,
		       const char *what, const char *begin);

#endif
