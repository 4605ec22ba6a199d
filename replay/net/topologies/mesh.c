// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topologies/topologies.h"

// Switches in a grid of any number of dimensions: meshes, tori, lines, rings, hypercubes.
//
// The switch at (x, y, z) has number x + X (y + Y z). Its hosts are on ports 0 .. H-1; port H + 2d
// leads to the next switch in dimension d, port H + 2d + 1 to the previous, free if there is none.
// A wrapped dimension of two switches has one cable between them, or with twice=yes two, as the
// longer ones would.

struct mesh_net_grid {
	struct net_dimensions dimensions;
	bool wrapped;
	bool twice;	// a wrapped dimension of two has two cables
	uint32_t hosts; // of each switch
};

#define SHEET_GAP 1u

uint64_t net_dimensions_switches(const struct net_dimensions *dimensions)
{
	uint64_t switches = 1;

	for (uint32_t d = 0; d < dimensions->count && switches <= NET_NODES_MAX; d++)
		switches *= dimensions->sizes[d];
	return switches;
}

// The cables of dimension d that begin at the switch with this number; strides are those of the
// dimension.
static void mesh_lay_forward(struct net_builder *builder, const struct mesh_net_grid *grid,
			     uint32_t index, uint32_t d, uint32_t stride)
{
	const uint32_t size = grid->dimensions.sizes[d];
	const uint32_t at = index / stride % size;
	const uint32_t port = grid->hosts + 2 * d;

	if (at + 1 < size)
		net_build_cable(builder, index, port, index + stride, port + 1);
	else if (grid->wrapped && size > (grid->twice ? 1 : 2))
		net_build_cable(builder, index, port, index - at * stride, port + 1);
}

// A ring is drawn to the right and back below.
static void place_ring(struct net_builder *builder, uint32_t size, uint32_t index)
{
	const uint32_t half = (size + 1) / 2;

	net_build_place(builder, index, index < half ? index : size - 1 - index, index >= half);
}

void net_dimensions_place(struct net_builder *builder, const struct net_dimensions *dimensions,
			  uint32_t index)
{
	int64_t at[2] = {0, 0};
	int64_t step[2] = {1, 1};
	uint32_t rest = index;

	for (uint32_t d = 0; d < dimensions->count; d++) {
		const uint32_t size = dimensions->sizes[d];

		at[d % 2] += rest % size * step[d % 2];
		step[d % 2] = step[d % 2] * size + (d + 2 < dimensions->count ? SHEET_GAP : 0);
		rest /= size;
	}
	net_build_place(builder, index, at[0], at[1]);
}

// Reads the options hosts= (default 1) and, for a wrapped one, twice=; ends the arguments and
// builds.
static enum tr_status net_grid_make(struct net_topology *topology, struct mesh_net_grid grid,
				    struct net_args *args, struct tr_error *err)
{
	const uint64_t switches = net_dimensions_switches(&grid.dimensions);
	static const char *const twice[] = {"no", "yes", NULL};
	struct net_builder builder;
	uint32_t stride = 1;

	grid.twice = grid.wrapped && net_args_option_word(args, "twice", twice, 0) != 0;
	grid.hosts = net_args_option(args, "hosts", 1, NET_PORTS_MAX, 1);
	if (net_args_end(args, err) != TR_OK ||
	    net_build_open(
		    &builder, topology,
		    (struct net_size){.hosts = switches * grid.hosts,
				      .switches = switches,
				      .ports = grid.hosts + 2 * grid.dimensions.count,
				      .cables = switches * (grid.hosts + grid.dimensions.count),
				      .placed = true},
		    err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < switches; i++) {
		net_build_hosts(&builder, i * grid.hosts, grid.hosts, i);
		if (grid.wrapped && grid.dimensions.count == 1)
			place_ring(&builder, grid.dimensions.sizes[0], i);
		else
			net_dimensions_place(&builder, &grid.dimensions, i);
	}
	for (uint32_t d = 0; d < grid.dimensions.count; stride *= grid.dimensions.sizes[d++])
		for (uint32_t i = 0; i < switches; i++)
			mesh_lay_forward(&builder, &grid, i, d, stride);
	return TR_OK;
}

// Meshes and tori of switches, of one to eight dimensions; lines and rings have one.

static enum tr_status make_sizes(struct net_topology *topology, bool wrapped, struct net_args *args,
				 struct tr_error *err)
{
	const struct mesh_net_grid grid = {.dimensions = net_args_dimensions(args, 0),
					   .wrapped = wrapped};

	return net_grid_make(topology, grid, args, err);
}

static enum tr_status make_length(struct net_topology *topology, bool wrapped,
				  struct net_args *args, struct tr_error *err)
{
	const uint32_t switches = net_args_count(args, 0, "number of switches", 1, NET_NODES_MAX);
	const struct mesh_net_grid grid = {.dimensions = {.sizes = {switches}, .count = 1},
					   .wrapped = wrapped};

	return net_grid_make(topology, grid, args, err);
}

static enum tr_status make_mesh(struct net_topology *topology, struct net_args *args,
				struct tr_error *err)
{
	return make_sizes(topology, false, args, err);
}

static enum tr_status make_torus(struct net_topology *topology, struct net_args *args,
				 struct tr_error *err)
{
	return make_sizes(topology, true, args, err);
}

static enum tr_status mesh_make_line(struct net_topology *topology, struct net_args *args,
				     struct tr_error *err)
{
	return make_length(topology, false, args, err);
}

static enum tr_status mesh_make_ring(struct net_topology *topology, struct net_args *args,
				     struct tr_error *err)
{
	return make_length(topology, true, args, err);
}

const struct net_generator net_mesh = {"mesh", "XxY[xZ...][,hosts=H]",
				       "a grid of switches with H hosts (1) on each", make_mesh};
const struct net_generator net_torus = {"torus", "XxY[xZ...][,hosts=H][,twice=yes]",
					"a mesh with closed dimensions", make_torus};
const struct net_generator net_line = {
	"line", "N[,hosts=H]", "N switches in a row with H hosts (1) on each", mesh_make_line};
const struct net_generator net_ring = {"ring", "N[,hosts=H][,twice=yes]", "a closed line",
				       mesh_make_ring};

// Connects switches whose numbers differ in one bit d, port H + d to port H + d.

#define DIMENSIONS_MAX 16u

// The bits of a number at even positions, compacted: every other dimension runs to the right.
static uint32_t even_bits(uint32_t number)
{
	uint32_t out = 0;

	for (uint32_t bit = 0; bit < 16; bit++)
		out |= (number >> 2 * bit & 1u) << bit;
	return out;
}

static enum tr_status make_hypercube(struct net_topology *topology, struct net_args *args,
				     struct tr_error *err)
{
	const uint32_t dimensions = net_args_count(args, 0, "number of dimensions", 1,
						   DIMENSIONS_MAX);
	const uint32_t hosts = net_args_option(args, "hosts", 1, NET_PORTS_MAX, 1);
	const uint32_t switches = 1u << dimensions;
	struct net_builder builder;

	if (net_args_end(args, err) != TR_OK ||
	    net_build_open(&builder, topology,
			   (struct net_size){.hosts = (uint64_t)switches * hosts,
					     .switches = switches,
					     .ports = hosts + dimensions,
					     .cables = (uint64_t)switches * (hosts + dimensions),
					     .placed = true},
			   err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < switches; i++) {
		net_build_hosts(&builder, i * hosts, hosts, i);
		net_build_place(&builder, i, even_bits(i), even_bits(i >> 1));
	}
	for (uint32_t d = 0; d < dimensions; d++)
		for (uint32_t i = 0; i < switches; i++)
			if ((i >> d & 1u) == 0)
				net_build_cable(&builder, i, hosts + d, i | 1u << d, hosts + d);
	return TR_OK;
}

const struct net_generator net_hypercube = {
	"hypercube", "D[,hosts=H]", "2^D switches with H hosts (1) on each", make_hypercube};
