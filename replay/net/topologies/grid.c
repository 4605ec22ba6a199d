// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topologies/grid.h"

#define SHEET_GAP 1u

// Number of switches; above NET_NODES_MAX where there are too many.
static uint64_t count_switches(const struct net_dimensions *dimensions)
{
	uint64_t switches = 1;

	for (uint32_t d = 0; d < dimensions->count && switches <= NET_NODES_MAX; d++)
		switches *= dimensions->sizes[d];
	return switches;
}

// The cables of dimension d that begin at the switch with this number; strides are those of the
// dimension.
static void lay_forward(struct net_builder *builder, const struct net_grid *grid, uint32_t index, uint32_t d, uint32_t stride)
{
	const uint32_t size = grid->dimensions.sizes[d];
	const uint32_t at = index / stride % size;
	const uint32_t port = grid->hosts + 2 * d;

	if (at + 1 < size)
		net_build_cable(builder, index, port, index + stride, port + 1);
	else if (grid->wrapped && size > 2)
		net_build_cable(builder, index, port, index - at * stride, port + 1);
}

// A ring goes to the right and comes back below.
static void place_ring(struct net_builder *builder, uint32_t size, uint32_t index)
{
	const uint32_t half = (size + 1) / 2;

	net_build_place(builder, index, index < half ? index : size - 1 - index, index >= half);
}

// Even dimensions run to the right, odd ones down; a third and later one repeats the sheet.
static void place(struct net_builder *builder, const struct net_grid *grid, uint32_t index)
{
	int64_t at[2] = {0, 0};
	int64_t step[2] = {1, 1};
	uint32_t rest = index;

	for (uint32_t d = 0; d < grid->dimensions.count; d++) {
		const uint32_t size = grid->dimensions.sizes[d];

		at[d % 2] += rest % size * step[d % 2];
		step[d % 2] = step[d % 2] * size + (d + 2 < grid->dimensions.count ? SHEET_GAP : 0);
		rest /= size;
	}
	net_build_place(builder, index, at[0], at[1]);
}

enum tr_status net_grid_make(struct net_topology *topology, struct net_grid grid, struct net_args *args, struct tr_error *err)
{
	const uint64_t switches = count_switches(&grid.dimensions);
	struct net_builder builder;
	uint32_t stride = 1;

	grid.hosts = net_args_option(args, "hosts", 1, NET_PORTS_MAX, 1);
	if (net_args_end(args, err) != TR_OK ||
	    net_build_open(&builder, topology,
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
			place(&builder, &grid, i);
	}
	for (uint32_t d = 0; d < grid.dimensions.count; stride *= grid.dimensions.sizes[d++])
		for (uint32_t i = 0; i < switches; i++)
			lay_forward(&builder, &grid, i, d, stride);
	return TR_OK;
}
