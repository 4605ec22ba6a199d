// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes on the switches of a mesh or torus, numbered as the hosts of flitnet's networks of the same name
// (man/flit-topology.5): those of a switch one after the other, a switch's number having its place in the first dimension as
// the lowest digit. Switches are as many steps apart as cables between them on a shortest way.
#ifndef GEN_NODE_GRID_H
#define GEN_NODE_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/random.h"
#include "trace/status.h"

#define NODE_GRID_DIMENSIONS_MAX 8u
#define NODE_GRID_SIZE_MAX 1000000u
#define NODE_GRID_STEPS_MAX 511u
#define NODE_GRID_TEXT_BYTES 96u

// Zero is none.
struct node_grid {
	uint32_t sizes[NODE_GRID_DIMENSIONS_MAX];
	unsigned dimensions;
	uint32_t hosts; // nodes on each switch
	bool closed;	// each line is a ring
};

// Reads "4x4", "mesh:4x4", "torus:3x3,hosts=4", "line:8", "ring:8". TR_ERROR: what was expected.
enum tr_status node_grid_parse(const char *text, struct node_grid *out, struct tr_error *err);

// The shortest text that is read back as the same grid. Returns out.
const char *node_grid_format(const struct node_grid *grid, char out[NODE_GRID_TEXT_BYTES]);

// All nodes; some number above UINT32_MAX where they are more than that.
uint64_t node_grid_nodes(const struct node_grid *grid);

// The most steps that each switch has another one away; a middle one has none further.
uint64_t node_grid_reach(const struct node_grid *grid);

// Draws one of the nodes whose switch is so many steps (0 .. NODE_GRID_STEPS_MAX, of which node self has one) from that of
// node self, all alike; with no steps self only where sender says so. One draw of tr_random_below.
uint32_t node_grid_draw(const struct node_grid *grid, uint32_t self, uint32_t steps, bool sender, struct tr_random *random);

#endif
