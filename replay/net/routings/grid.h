// SPDX-License-Identifier: GPL-3.0-or-later
// A mesh, torus, hypercube or HyperX by its dimensions. The switch at (x, y, z) must have number x
// + X (y + Y z), as the generators make it; the sizes are inferred from the cables. Switches are
// numbered from 0.
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
	bool full;	// every two switches of a line are joined, three or more
	uint32_t first; // port of a switch in net_grid's; full: of size ports, else of 2
};

// Zero is a valid empty one.
struct net_grid {
	struct net_graph graph;
	struct net_dimension dimensions[NET_DIMENSIONS_MAX];
	uint32_t count;
	uint32_t width;	 // ports of a switch
	bool full;	 // a dimension of more than three is, so that it is no torus
	bool parallel;	 // cables join the same two switches
	uint16_t *ports; // [switch * width + first + n]: the lowest to the next switch (n = 0) and
			 // the previous one, or to coordinate n; NET_GRID_NO_PORT
};

#define NET_GRID_NO_PORT UINT16_MAX // beyond the end of a line, or to the switch itself

// Finds the dimensions and the ports. full: lines may be fully joined; those of three switches
// count as such, and else as closed. TR_ERROR if the network is not such a grid or memory runs out.
// Close it in any case.
enum tr_status net_grid_open(struct net_grid *grid, const struct net_topology *topology, bool full,
			     struct tr_error *err);
void net_grid_close(struct net_grid *grid);

// A switch's place in a dimension.
static inline uint32_t net_grid_coordinate(const struct net_dimension *dimension, uint32_t at)
{
	return at / dimension->stride % dimension->size;
}

// The neighbour in a direction of a dimension that is not full; NET_NOBODY beyond the end of an
// open line.
uint32_t net_grid_neighbour(const struct net_dimension *dimension, uint32_t at, bool onward);

// Steps between the coordinates of two switches, the shorter way, and its direction: the ascending
// one if both are equal.
uint32_t net_grid_distance(const struct net_dimension *dimension, uint32_t from, uint32_t to,
			   bool *onward);

// The port of a switch to its neighbour, in a dimension that is not full.
static inline uint16_t net_grid_port(const struct net_grid *grid, uint32_t at, uint32_t d,
				     bool onward)
{
	return grid->ports[(size_t)at * grid->width + grid->dimensions[d].first + !onward];
}

// Goes a step in a dimension from *at, towards another coordinate, that of switch to. Returns the
// port.
uint16_t net_grid_step(const struct net_grid *grid, uint32_t d, uint32_t to, uint32_t *at);

#endif
