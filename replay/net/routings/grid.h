// SPDX-License-Identifier: GPL-3.0-or-later
// A mesh, torus or hypercube by its dimensions. The switch at (x, y, z) must have number x + X (y +
// Y z), as the generators make it; the sizes are inferred from the cables. Switches are numbered
// from 0.
#ifndef NET_ROUTINGS_GRID_H
#define NET_ROUTINGS_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "net/topology/graph.h"
#include "net/topology/topology.h"
#include "value/status.h"

#define NET_DIMENSIONS_MAX 32u

struct net_dimension {
	uint32_t size;
	uint32_t stride; // between the numbers of neighbours
	bool closed;
};

// Zero is a valid empty one.
struct net_grid {
	struct net_graph graph;
	struct net_dimension dimensions[NET_DIMENSIONS_MAX];
	uint32_t count;
	uint16_t *onward; // [switch * count + dimension]: the port to the next switch, lowest
	uint16_t *back;	  // and to the previous one
};

// Finds the dimensions and the ports. TR_ERROR if the network is not such a grid or memory runs
// out. Close it in any case.
enum tr_status net_grid_open(struct net_grid *grid, const struct net_topology *topology,
			     struct tr_error *err);
void net_grid_close(struct net_grid *grid);

// A switch's place in a dimension.
static inline uint32_t net_grid_coordinate(const struct net_dimension *dimension, uint32_t at)
{
	return at / dimension->stride % dimension->size;
}

// The neighbour in a direction; NET_NOBODY beyond the end of an open line.
uint32_t net_grid_neighbour(const struct net_dimension *dimension, uint32_t at, bool onward);

// Steps between the coordinates of two switches, the shorter way, and its direction: the ascending
// one if both are equal.
uint32_t net_grid_distance(const struct net_dimension *dimension, uint32_t from, uint32_t to,
			   bool *onward);

// The port of a switch to its neighbour.
static inline uint16_t net_grid_port(const struct net_grid *grid, uint32_t at, uint32_t d,
				     bool onward)
{
	return (onward ? grid->onward : grid->back)[(size_t)at * grid->count + d];
}

#endif
