// SPDX-License-Identifier: GPL-3.0-or-later
// Switches in a grid of any number of dimensions: meshes, tori, lines, rings, hypercubes.
//
// The switch at (x, y, z) has number x + X (y + Y z). Its hosts are on ports 0 .. H-1; port H + 2d leads
// to the next switch in dimension d, port H + 2d + 1 to the one before, and stays free where there is
// none. A wrapped dimension of two switches has one cable between them, not two.
#ifndef NET_TOPOLOGIES_GRID_H
#define NET_TOPOLOGIES_GRID_H

#include "net/topologies/generator.h"

struct net_grid {
	struct net_dimensions dimensions;
	bool wrapped;
	uint32_t hosts; // of each switch
};

// Takes the option hosts= (1 if not given), ends the arguments and builds.
enum tr_status net_grid_make(struct net_topology *topology, struct net_grid grid, struct net_args *args, struct tr_error *err);

#endif
