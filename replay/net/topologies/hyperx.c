// SPDX-License-Identifier: GPL-3.0-or-later
// HyperX (J. H. Ahn, N. Binkert, A. Davis, M. McLaren and R. S. Schreiber, HyperX: topology,
// routing, and packaging of efficient large-scale networks, SC 2009): switches in a grid, every two
// that differ in one coordinate joined by K cables, K by dimension. Special cases are the flattened
// butterfly (J. Kim, W. J. Dally and D. Abts, Flattened butterfly: a cost-efficient topology for
// high-radix networks, ISCA 2007), of N - 1 dimensions of K switches with K hosts, and fully
// connected switches, of one dimension.
//
// Switches are numbered as in a mesh. Hosts are on ports 0 .. H-1 of each, then, dimension by
// dimension, the others of its line in the order of their coordinates.
#include "net/topologies/topologies.h"

struct hyperx {
	struct net_dimensions dimensions;
	struct net_dimensions cables; // between two switches of a dimension
	uint32_t hosts;		      // of each switch
};

static struct net_size hyperx_measure(const struct hyperx *grid)
{
	const uint64_t switches = net_dimensions_switches(&grid->dimensions);
	struct net_size size = {.hosts = switches * grid->hosts,
				.switches = switches,
				.ports = grid->hosts,
				.placed = grid->dimensions.count > 1};

	for (uint32_t d = 0; d < grid->dimensions.count; d++)
		size.ports += (uint64_t)(grid->dimensions.sizes[d] - 1) * grid->cables.sizes[d];
	size.cables = switches * grid->hosts + switches * (size.ports - grid->hosts) / 2;
	return size;
}

// The cables of dimension d, whose first port is port, from a switch to higher coordinates.
static void hyperx_lay_forward(struct net_builder *builder, const struct hyperx *grid,
			       uint32_t index, uint32_t d, uint32_t stride, uint32_t port)
{
	const uint32_t size = grid->dimensions.sizes[d];
	const uint32_t cables = grid->cables.sizes[d];
	const uint32_t at = index / stride % size;

	for (uint32_t to = at + 1; to < size; to++)
		for (uint32_t c = 0; c < cables; c++)
			net_build_cable(builder, index, port + (to - 1) * cables + c,
					index + (to - at) * stride, port + at * cables + c);
}

static enum tr_status hyperx_build(struct net_topology *topology, const struct hyperx *grid,
				   struct tr_error *err)
{
	struct net_builder builder;
	uint32_t port = grid->hosts;
	uint32_t stride = 1;

	if (net_build_open(&builder, topology, hyperx_measure(grid), err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < topology->switches; i++) {
		net_build_hosts(&builder, i * grid->hosts, grid->hosts, i);
		if (topology->places)
			net_dimensions_place(&builder, &grid->dimensions, i);
	}
	for (uint32_t d = 0; d < grid->dimensions.count; d++) {
		for (uint32_t i = 0; i < topology->switches; i++)
			hyperx_lay_forward(&builder, grid, i, d, stride, port);
		stride *= grid->dimensions.sizes[d];
		port += (grid->dimensions.sizes[d] - 1) * grid->cables.sizes[d];
	}
	return TR_OK;
}

static enum tr_status hyperx_make(struct net_topology *topology, struct net_args *args,
				  struct tr_error *err)
{
	struct hyperx grid = {.dimensions = net_args_dimensions(args, 0)};

	grid.hosts = net_args_option(args, "hosts", 1, NET_PORTS_MAX, 1);
	grid.cables = net_args_option_dimensions(args, "cables", grid.dimensions.count);
	if (net_args_end(args, err) != TR_OK)
		return TR_ERROR;
	return hyperx_build(topology, &grid, err);
}

static enum tr_status hyperx_make_butterfly(struct net_topology *topology, struct net_args *args,
					    struct tr_error *err)
{
	const uint32_t arity = net_args_count(args, 0, "switches of a line (K)", 2, NET_PORTS_MAX);
	struct hyperx grid = {.dimensions.count = net_args_count(args, 1, "number of stages (N)", 2,
								 NET_DIMENSIONS_MAX + 1) -
						  1,
			      .hosts = net_args_option(args, "hosts", 1, NET_PORTS_MAX, arity)};

	for (uint32_t d = 0; d < grid.dimensions.count; d++)
		grid.dimensions.sizes[d] = arity;
	grid.cables = net_args_option_dimensions(args, "cables", grid.dimensions.count);
	if (net_args_end(args, err) != TR_OK)
		return TR_ERROR;
	return hyperx_build(topology, &grid, err);
}

static enum tr_status hyperx_make_full(struct net_topology *topology, struct net_args *args,
				       struct tr_error *err)
{
	const uint32_t switches = net_args_count(args, 0, "number of switches", 1, NET_PORTS_MAX);
	const struct hyperx grid = {.dimensions = {.sizes = {switches}, .count = 1},
				    .cables = {.sizes = {1}, .count = 1},
				    .hosts = net_args_option(args, "hosts", 1, NET_PORTS_MAX, 1)};

	if (net_args_end(args, err) != TR_OK)
		return TR_ERROR;
	return hyperx_build(topology, &grid, err);
}

const struct net_generator net_hyperx = {
	"hyperx", "XxY[xZ...][,hosts=H][,cables=KxK...]",
	"a grid of switches with H hosts (1) on each, every two of a line joined by K cables (1)",
	hyperx_make};
const struct net_generator net_flattened_butterfly = {
	"flattened-butterfly", "K,N[,hosts=H][,cables=KxK...]",
	"K-ary N-flat: such a grid of N-1 dimensions of K switches with H hosts (K) on each",
	hyperx_make_butterfly};
const struct net_generator net_full = {"full", "N[,hosts=H]",
				       "N switches with H hosts (1) on each, every two joined",
				       hyperx_make_full};
