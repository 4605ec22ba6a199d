// SPDX-License-Identifier: GPL-3.0-or-later
// A matrix over pairs of nodes as a panel of a figure.
#ifndef REPORT_HEAT_MAP_H
#define REPORT_HEAT_MAP_H

#include "page/figure.h"
#include "stat/matrix.h"
#include "trace/names.h"

// What a cell shows.
enum heat_value {
	HEAT_BYTES, // the sum, as bytes
	HEAT_MEAN,  // the sum over the number, as ticks in microseconds
};

struct heat_map {
	const char *title;
	const char *label; // of the scale, before its unit
	enum heat_value value;
	uint64_t ticks_per_s; // of HEAT_MEAN
	double height;	      // of the panel, whose labels are short then; 0: by the number of nodes
};

// Adds a panel: sources from top to bottom, destinations from left to right, for the nodes that move most (node_names.h).
// The scale is logarithmic where values are more than a hundredfold apart.
void heat_map_add(struct figure *figure, const struct matrix *matrix, const struct tr_names *names, const struct heat_map *map);

#endif
