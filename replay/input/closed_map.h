// SPDX-License-Identifier: GPL-3.0-or-later
// Placements of one grid on another that need no search.
#ifndef REPLAY_CLOSED_MAP_H
#define REPLAY_CLOSED_MAP_H

#include <stdbool.h>
#include <stdint.h>

#define MAP_GRID_DIMENSIONS 16u

// A line, ring, mesh, torus or hypercube with a host on each switch; a hypercube has dimensions of
// two.
struct map_grid {
	uint32_t sizes[MAP_GRID_DIMENSIONS];
	uint32_t count;
	bool closed;
	bool cube;
};

// The grid that a generator's text names ("torus:8x8"). False if it is none, or has several hosts
// on a switch.
bool map_grid_read(struct map_grid *grid, const char *text);

// Above NET_NODES_MAX (net/topology/topology.h) where there are too many.
uint64_t map_grid_nodes(const struct map_grid *grid);

// A closed form. Nodes and hosts have the numbers of flit-topology(5).
struct closed_map {
	const char *name;
	bool (*fits)(const struct map_grid *from, const struct map_grid *to);
	uint32_t (*host)(const struct map_grid *from, const struct map_grid *to, uint32_t node);
};

// The closed form for a virtual grid on a real one; NULL where there is none.
const struct closed_map *closed_map_find(const struct map_grid *from, const struct map_grid *to);

#endif
