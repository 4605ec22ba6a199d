// SPDX-License-Identifier: GPL-3.0-or-later
// Meshes and tori of switches, of one to eight dimensions; a line and a ring are those of one.
#include "net/topologies/grid.h"

static enum tr_status make_sizes(struct net_topology *topology, bool wrapped, struct net_args *args, struct tr_error *err)
{
	const struct net_grid grid = {.dimensions = net_args_dimensions(args, 0), .wrapped = wrapped};

	return net_grid_make(topology, grid, args, err);
}

static enum tr_status make_length(struct net_topology *topology, bool wrapped, struct net_args *args, struct tr_error *err)
{
	const uint32_t switches = net_args_count(args, 0, "number of switches", 1, NET_NODES_MAX);
	const struct net_grid grid = {.dimensions = {.sizes = {switches}, .count = 1}, .wrapped = wrapped};

	return net_grid_make(topology, grid, args, err);
}

static enum tr_status make_mesh(struct net_topology *topology, struct net_args *args, struct tr_error *err)
{
	return make_sizes(topology, false, args, err);
}

static enum tr_status make_torus(struct net_topology *topology, struct net_args *args, struct tr_error *err)
{
	return make_sizes(topology, true, args, err);
}

static enum tr_status make_line(struct net_topology *topology, struct net_args *args, struct tr_error *err)
{
	return make_length(topology, false, args, err);
}

static enum tr_status make_ring(struct net_topology *topology, struct net_args *args, struct tr_error *err)
{
	return make_length(topology, true, args, err);
}

const struct net_generator net_mesh = {"mesh", "XxY[xZ...][,hosts=H]", "a grid of switches with H hosts (1) on each",
				       make_mesh};
const struct net_generator net_torus = {"torus", "XxY[xZ...][,hosts=H]", "a mesh whose lines are closed", make_torus};
const struct net_generator net_line = {"line", "N[,hosts=H]", "N switches in a row with H hosts (1) on each", make_line};
const struct net_generator net_ring = {"ring", "N[,hosts=H]", "a line that is closed", make_ring};
