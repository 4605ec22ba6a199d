// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routings/grid.h"

#include <stdlib.h>

// The lowest port of a switch that leads to another; NET_NOBODY if there is none.
static uint32_t port_to(const struct net_graph *graph, uint32_t from, uint32_t to)
{
	for (uint32_t port = 0; port < net_graph_ports(graph, from + graph->hosts); port++)
		if (net_graph_peer(graph, from + graph->hosts, port)->node == to + graph->hosts)
			return port;
	return NET_NOBODY;
}

static bool joined(const struct net_graph *graph, uint64_t from, uint64_t to)
{
	return from < net_graph_switches(graph) && to < net_graph_switches(graph) &&
	       port_to(graph, (uint32_t)from, (uint32_t)to) != NET_NOBODY;
}

// Whether three switches or more of a line from switch 0 are joined each to each.
static bool grid_line_is_full(const struct net_graph *graph, uint64_t size, uint64_t stride)
{
	bool full = size > 2;

	for (uint64_t a = 0; full && a < size; a++)
		for (uint64_t b = 0; full && b < a; b++)
			full = joined(graph, a * stride, b * stride);
	return full;
}

// Follows the first line of each dimension from switch 0.
static enum tr_status find_sizes(struct net_grid *grid, bool full, struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(&grid->graph);
	uint64_t stride = 1;

	while (stride < switches) {
		struct net_dimension *dimension = &grid->dimensions[grid->count];
		uint64_t size = 1;

		while (joined(&grid->graph, (size - 1) * stride, size * stride))
			size++;
		if (size == 1 || switches % (stride * size) != 0 ||
		    grid->count == NET_DIMENSIONS_MAX)
			return tr_fail(
				err,
				"expected a mesh or torus with switches numbered line by line");
		*dimension = (struct net_dimension){
			.size = (uint32_t)size, .stride = (uint32_t)stride, .first = grid->width};
		dimension->full = full && grid_line_is_full(&grid->graph, size, stride);
		dimension->closed = size > 2 && !dimension->full &&
				    joined(&grid->graph, 0, (size - 1) * stride);
		grid->full |= dimension->full && size > 3;
		grid->width += dimension->full ? dimension->size : 2;
		grid->count++;
		stride *= size;
	}
	return TR_OK;
}

uint32_t net_grid_neighbour(const struct net_dimension *dimension, uint32_t at, bool onward)
{
	uint32_t x = net_grid_coordinate(dimension, at);
	uint32_t line = at - x * dimension->stride;

	if (!dimension->closed && x == (onward ? dimension->size - 1 : 0))
		return NET_NOBODY;
	x = onward ? (x + 1) % dimension->size : (x + dimension->size - 1) % dimension->size;
	return line + x * dimension->stride;
}

// The switch to which port n of a dimension leads; NET_NOBODY for none.
static uint32_t grid_behind(const struct net_dimension *dimension, uint32_t at, uint32_t n)
{
	const uint32_t x = net_grid_coordinate(dimension, at);

	if (!dimension->full)
		return net_grid_neighbour(dimension, at, n == 0);
	return x == n ? NET_NOBODY : at - x * dimension->stride + n * dimension->stride;
}

static enum tr_status grid_find_ports(struct net_grid *grid, uint32_t at,
				      const struct net_dimension *dimension, struct tr_error *err)
{
	for (uint32_t n = 0; n < (dimension->full ? dimension->size : 2); n++) {
		const uint32_t next = grid_behind(dimension, at, n);
		const uint32_t port = next == NET_NOBODY ? NET_GRID_NO_PORT
							 : port_to(&grid->graph, at, next);

		if (port == NET_NOBODY)
			return tr_fail(err,
				       "switches %u and %u are not joined; in this mesh they must "
				       "be",
				       at, next);
		grid->ports[(size_t)at * grid->width + dimension->first + n] = (uint16_t)port;
	}
	return TR_OK;
}

static enum tr_status find_ports(struct net_grid *grid, struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(&grid->graph);

	grid->ports = calloc((size_t)switches * grid->width + 1, sizeof(*grid->ports));
	if (!grid->ports)
		return tr_no_memory(err, "routes");
	for (uint32_t at = 0; at < switches; at++)
		for (uint32_t d = 0; d < grid->count; d++)
			if (grid_find_ports(grid, at, &grid->dimensions[d], err) != TR_OK)
				return TR_ERROR;
	return TR_OK;
}

uint32_t net_grid_distance(const struct net_dimension *dimension, uint32_t from, uint32_t to,
			   bool *onward)
{
	uint32_t x = net_grid_coordinate(dimension, from);
	uint32_t goal = net_grid_coordinate(dimension, to);
	uint32_t up = goal >= x ? goal - x : goal + dimension->size - x;
	uint32_t down = dimension->size - up;

	*onward = dimension->closed ? up <= down : goal >= x;
	if (up == 0 || dimension->full)
		return up > 0;
	if (dimension->closed)
		return *onward ? up : down;
	return *onward ? goal - x : x - goal;
}

uint16_t net_grid_step(const struct net_grid *grid, uint32_t d, uint32_t to, uint32_t *at)
{
	const struct net_dimension *dimension = &grid->dimensions[d];
	const uint16_t *ports = grid->ports + (size_t)*at * grid->width + dimension->first;
	uint32_t n = net_grid_coordinate(dimension, to);

	if (!dimension->full) {
		bool onward;

		net_grid_distance(dimension, *at, to, &onward);
		n = !onward;
	}
	*at = grid_behind(dimension, *at, n);
	return ports[n];
}

// The port of the grid from a switch to another; NET_GRID_NO_PORT where they are no neighbours.
static uint16_t grid_port_between(const struct net_grid *grid, uint32_t a, uint32_t b)
{
	for (uint32_t d = 0; d < grid->count; d++) {
		const struct net_dimension *dimension = &grid->dimensions[d];

		for (uint32_t n = 0; n < (dimension->full ? dimension->size : 2); n++)
			if (grid_behind(dimension, a, n) == b)
				return grid->ports[(size_t)a * grid->width + dimension->first + n];
	}
	return NET_GRID_NO_PORT;
}

// A cable that skips switches of a line that is not full, as in circulants, would never be used.
static enum tr_status check_cables(struct net_grid *grid, struct tr_error *err)
{
	const struct net_graph *graph = &grid->graph;

	for (uint32_t at = 0; at < net_graph_switches(graph); at++)
		for (uint32_t port = 0; port < net_graph_ports(graph, at + graph->hosts); port++) {
			const uint32_t node = net_graph_peer(graph, at + graph->hosts, port)->node;
			uint16_t lowest;

			if (!net_graph_is_switch(graph, node))
				continue;
			lowest = grid_port_between(grid, at, node - graph->hosts);
			if (lowest == NET_GRID_NO_PORT)
				return tr_fail(err,
					       "expected a mesh or torus, found a cable between "
					       "switches %u and %u, which are not "
					       "neighbours in one; routes by shortest or updown "
					       "use all cables",
					       at, node - graph->hosts);
			grid->parallel |= lowest != port;
		}
	return TR_OK;
}

enum tr_status net_grid_open(struct net_grid *grid, const struct net_topology *topology, bool full,
			     struct tr_error *err)
{
	*grid = (struct net_grid){.count = 0};
	if (net_graph_open(&grid->graph, topology, err) != TR_OK ||
	    find_sizes(grid, full, err) != TR_OK)
		return TR_ERROR;
	return find_ports(grid, err) == TR_OK ? check_cables(grid, err) : TR_ERROR;
}

void net_grid_close(struct net_grid *grid)
{
	net_graph_close(&grid->graph);
	free(grid->ports);
	*grid = (struct net_grid){.count = 0};
}
