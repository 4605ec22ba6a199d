// SPDX-License-Identifier: GPL-3.0-or-later
// Meshes, tori, hypercubes and HyperX: a worm moves first in the first dimension, then in the
// second, and so on (dimension order; Dally and Seitz, IEEE Trans. Computers 36(5), 1987). Without
// rings of more than three switches, worms cannot wait for one another in a cycle. In a ring a worm
// takes the shorter direction, the ascending one if both are equal: of the two cables of a ring of
// two (twice=yes) that on its lowest port, which is the ascending one. In a HyperX the parallel
// cables of two switches share out the destinations.
#include "net/routings/dimension.h"

#include <stdlib.h>

#include "net/routings/grid.h"
#include "net/routings/routing.h"

// Cables of a switch to another.
static uint32_t dimension_count_cables(const struct net_graph *graph, uint32_t from, uint32_t to)
{
	uint32_t cables = 0;

	for (uint32_t port = 0; port < net_graph_ports(graph, from + graph->hosts); port++)
		cables += net_graph_peer(graph, from + graph->hosts, port)->node ==
			  to + graph->hosts;
	return cables;
}

// Of the cables from a switch to another, of which port is the lowest, that to a host.
static uint16_t dimension_share(const struct net_graph *graph, uint32_t from, uint32_t to,
				uint16_t port, uint32_t destination)
{
	for (uint32_t left = destination % dimension_count_cables(graph, from, to); left > 0;) {
		port++;
		left -= net_graph_peer(graph, from + graph->hosts, port)->node == to + graph->hosts;
	}
	return port;
}

static uint32_t dimension_get(const void *state, uint32_t source, uint32_t destination,
			      uint16_t *ports)
{
	const struct net_grid *grid = state;
	const struct net_peer *first = net_graph_peer(&grid->graph, source, 0);
	const struct net_peer *last = net_graph_peer(&grid->graph, destination, 0);
	uint32_t count = 0, at, to;

	if (!net_graph_is_switch(&grid->graph, first->node))
		return first->node == destination ? 0 : NET_NO_ROUTE;
	at = first->node - grid->graph.hosts;
	to = last->node - grid->graph.hosts;
	for (uint32_t d = 0; d < grid->count; d++)
		while (net_grid_coordinate(&grid->dimensions[d], at) !=
		       net_grid_coordinate(&grid->dimensions[d], to)) {
			const uint32_t from = at;

			ports[count] = net_grid_step(grid, d, to, &at);
			if (grid->full && grid->parallel)
				ports[count] = dimension_share(&grid->graph, from, at, ports[count],
							       destination);
			count++;
		}
	ports[count++] = (uint16_t)last->port;
	return count;
}

static void dimension_clear(void *state)
{
	struct net_grid *grid = state;

	net_grid_close(grid);
	free(grid);
}

static const struct net_routes_form form = {dimension_get, dimension_clear};

static enum tr_status dimension_make(struct net_routes *routes, const struct net_topology *topology,
				     const void *params, struct tr_error *err)
{
	struct net_grid *grid = calloc(1, sizeof(*grid));

	(void)params;
	if (!grid)
		return tr_no_memory(err, "routes");
	*routes = (struct net_routes){
		.hosts = topology->hosts, .longest = 1, .form = &form, .state = grid};
	if (net_grid_open(grid, topology, true, err) != TR_OK)
		return TR_ERROR;
	routes->acyclic = true;
	for (uint32_t d = 0; d < grid->count; d++) {
		const struct net_dimension *dimension = &grid->dimensions[d];

		routes->acyclic = routes->acyclic && !dimension->closed;
		routes->longest += dimension->full     ? 1
				   : dimension->closed ? dimension->size / 2
						       : dimension->size - 1;
	}
	return TR_OK;
}

// Those of a switch in a dimension: one to a neighbour, or in a dimension of two both, which may
// lie there twice.
static uint32_t line_ends(const struct net_grid *grid, uint32_t at, uint32_t d)
{
	const struct net_dimension *dimension = &grid->dimensions[d];
	uint32_t ends = 0;

	if (dimension->full)
		return dimension->size - 1;
	for (int onward = 0; onward < 2; onward++) {
		const uint32_t next = net_grid_neighbour(dimension, at, onward != 0);

		if (next != NET_NOBODY)
			ends += dimension->size == 2 &&
						dimension_count_cables(&grid->graph, at, next) == 2
					? 2
					: 1;
	}
	return ends;
}

// Cables of the grid, each counted at both of its ends.
static uint32_t grid_ends(const struct net_grid *grid)
{
	uint32_t ends = 0;

	for (uint32_t at = 0; at < net_graph_switches(&grid->graph); at++)
		for (uint32_t d = 0; d < grid->count; d++)
			ends += line_ends(grid, at, d);
	return ends;
}

static uint32_t switch_ends(const struct net_graph *graph)
{
	uint32_t ends = 0;

	for (uint32_t node = graph->hosts; node < graph->nodes; node++)
		for (uint32_t port = 0; port < net_graph_ports(graph, node); port++)
			ends += net_graph_is_switch(graph, net_graph_peer(graph, node, port)->node);
	return ends;
}

// Dimension order of a grid; otherwise *routes is empty.
static bool dimension_of_grid(struct net_routes *routes, const struct net_topology *topology)
{
	*routes = (struct net_routes){0};
	if (dimension_make(routes, topology, NULL, NULL) == TR_OK) {
		const struct net_grid *grid = routes->state;

		if (grid->count > 1 && grid_ends(grid) == switch_ends(&grid->graph))
			return true;
	}
	net_routes_clear(routes);
	return false;
}

bool net_routing_is_grid(const struct net_topology *topology)
{
	struct net_routes routes;
	const bool is_grid = dimension_of_grid(&routes, topology);

	net_routes_clear(&routes);
	return is_grid;
}

// Whether a switch has a host, and its ports ascend with the dimensions, but for those of a full
// one among each other.
static bool dimension_ascends(const struct net_grid *grid, uint32_t at)
{
	const uint32_t node = at + grid->graph.hosts;
	uint32_t least = 0, behind = 0;
	bool has_host = false;

	for (uint32_t port = 0; port < net_graph_ports(&grid->graph, node); port++)
		has_host |= net_graph_peer(&grid->graph, node, port)->node < grid->graph.hosts;
	for (uint32_t d = 0; d < grid->count; d++, least = behind)
		for (uint32_t n = 0; n < (grid->dimensions[d].full ? grid->dimensions[d].size : 2);
		     n++) {
			const uint16_t port = grid->ports[(size_t)at * grid->width +
							  grid->dimensions[d].first + n];

			if (port == NET_GRID_NO_PORT)
				continue;
			if (port < (grid->dimensions[d].full ? least : behind))
				return false;
			behind = port >= behind ? port + 1u : behind;
		}
	return has_host;
}

void net_dimension_lowest(struct net_routes *routes, const struct net_topology *topology)
{
	bool same = dimension_of_grid(routes, topology);

	for (uint32_t at = 0; same && at < topology->switches; at++)
		same = dimension_ascends(routes->state, at);
	if (same)
		routes->by_switch = true;
	else
		net_routes_clear(routes);
}

const struct net_routing net_routing_dimension = {
	.name = "dimension",
	.summary = "dimension order in meshes, tori, hypercubes and HyperX",
	.make = dimension_make,
};
