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

// Follows the first line of each dimension from switch 0.
static enum tr_status find_sizes(struct net_grid *grid, struct tr_error *err)
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
		*dimension = (struct net_dimension){.size = (uint32_t)size,
						    .stride = (uint32_t)stride};
		dimension->closed = size > 2 && joined(&grid->graph, 0, (size - 1) * stride);
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

static enum tr_status grid_find_port(const struct net_grid *grid, uint32_t at, uint32_t d,
				     bool onward, struct tr_error *err)
{
	uint32_t next = net_grid_neighbour(&grid->dimensions[d], at, onward);
	uint32_t port = next == NET_NOBODY ? 0 : port_to(&grid->graph, at, next);

	if (port == NET_NOBODY)
		return tr_fail(err, "switches %u and %u are not joined; in this mesh they must be",
			       at, next);
	(onward ? grid->onward : grid->back)[(size_t)at * grid->count + d] = (uint16_t)port;
	return TR_OK;
}

static enum tr_status find_ports(struct net_grid *grid, struct tr_error *err)
{
	const size_t places = (size_t)net_graph_switches(&grid->graph) * grid->count + 1;

	grid->onward = calloc(places, sizeof(*grid->onward));
	grid->back = calloc(places, sizeof(*grid->back));
	if (!grid->onward || !grid->back)
		return tr_no_memory(err, "routes");
	for (uint32_t at = 0; at < net_graph_switches(&grid->graph); at++)
		for (uint32_t d = 0; d < grid->count; d++)
			if (grid_find_port(grid, at, d, true, err) != TR_OK ||
			    grid_find_port(grid, at, d, false, err) != TR_OK)
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
	if (up == 0)
		return 0;
	if (dimension->closed)
		return *onward ? up : down;
	return *onward ? goal - x : x - goal;
}

static bool are_neighbours(const struct net_grid *grid, uint32_t a, uint32_t b)
{
	for (uint32_t d = 0; d < grid->count; d++)
		if (net_grid_neighbour(&grid->dimensions[d], a, true) == b ||
		    net_grid_neighbour(&grid->dimensions[d], a, false) == b)
			return true;
	return false;
}

// A cable that skips switches of its line, as in circulants and flattened butterflies, would never
// be used.
static enum tr_status check_cables(const struct net_grid *grid, struct tr_error *err)
{
	const struct net_graph *graph = &grid->graph;

	for (uint32_t at = 0; at < net_graph_switches(graph); at++)
		for (uint32_t port = 0; port < net_graph_ports(graph, at + graph->hosts); port++) {
			const uint32_t node = net_graph_peer(graph, at + graph->hosts, port)->node;

			if (net_graph_is_switch(graph, node) &&
			    !are_neighbours(grid, at, node - graph->hosts))
				return tr_fail(err,
					       "expected a mesh or torus, found a cable between "
					       "switches %u and %u, which are not "
					       "neighbours in one; routes by shortest or updown "
					       "use all cables",
					       at, node - graph->hosts);
		}
	return TR_OK;
}

enum tr_status net_grid_open(struct net_grid *grid, const struct net_topology *topology,
			     struct tr_error *err)
{
	*grid = (struct net_grid){.count = 0};
	if (net_graph_open(&grid->graph, topology, err) != TR_OK || find_sizes(grid, err) != TR_OK)
		return TR_ERROR;
	return find_ports(grid, err) == TR_OK ? check_cables(grid, err) : TR_ERROR;
}

void net_grid_close(struct net_grid *grid)
{
	net_graph_close(&grid->graph);
	free(grid->onward);
	free(grid->back);
	*grid = (struct net_grid){.count = 0};
}
