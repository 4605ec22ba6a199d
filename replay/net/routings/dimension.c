// SPDX-License-Identifier: GPL-3.0-or-later
// Meshes, tori and hypercubes: a worm moves first in the first dimension, then in the second, and
// so on (dimension order; Dally and Seitz, IEEE Trans. Computers 36(5), 1987). Without rings, worms
// cannot wait for one another in a cycle. In a ring a worm takes the shorter direction, the
// ascending one if both are equal: of the two cables of a ring of two (twice=yes) that on its
// lowest port, which is the ascending one.
#include "net/routings/dimension.h"

#include <stdlib.h>

#include "net/routings/grid.h"
#include "net/routings/routing.h"

static uint32_t dimension_get(const void *state, uint32_t source, uint32_t destination,
			      uint16_t *ports)
{
	const struct net_grid *grid = state;
	const struct net_peer *first = net_graph_peer(&grid->graph, source, 0);
	const struct net_peer *last = net_graph_peer(&grid->graph, destination, 0);
	uint32_t count = 0;
	uint32_t at;

	if (!net_graph_is_switch(&grid->graph, first->node))
		return first->node == destination ? 0 : NET_NO_ROUTE;
	at = first->node - grid->graph.hosts;
	for (uint32_t d = 0; d < grid->count; d++) {
		const struct net_dimension *dimension = &grid->dimensions[d];
		bool onward;

		for (uint32_t left = net_grid_distance(dimension, at,
						       last->node - grid->graph.hosts, &onward);
		     left > 0; left--) {
			ports[count++] = net_grid_port(grid, at, d, onward);
			at = net_grid_neighbour(dimension, at, onward);
		}
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
	if (net_grid_open(grid, topology, err) != TR_OK)
		return TR_ERROR;
	routes->acyclic = true;
	for (uint32_t d = 0; d < grid->count; d++) {
		routes->acyclic = routes->acyclic && !grid->dimensions[d].closed;
		routes->longest += grid->dimensions[d].closed ? grid->dimensions[d].size / 2
							      : grid->dimensions[d].size - 1;
	}
	return TR_OK;
}

// Cables of a switch to another.
static uint32_t dimension_count_cables(const struct net_graph *graph, uint32_t from, uint32_t to)
{
	uint32_t cables = 0;

	for (uint32_t port = 0; port < net_graph_ports(graph, from + graph->hosts); port++)
		cables += net_graph_peer(graph, from + graph->hosts, port)->node ==
			  to + graph->hosts;
	return cables;
}

// Those of a switch in a direction of a dimension: one, or in a dimension of two both, which may
// lie there twice.
static uint32_t line_ends(const struct net_grid *grid, uint32_t at, uint32_t d, bool onward)
{
	const struct net_dimension *dimension = &grid->dimensions[d];
	const uint32_t next = net_grid_neighbour(dimension, at, onward);

	if (next == NET_NOBODY)
		return 0;
	return dimension->size == 2 && dimension_count_cables(&grid->graph, at, next) == 2 ? 2 : 1;
}

// Cables of the grid, each counted at both of its ends.
static uint32_t grid_ends(const struct net_grid *grid)
{
	uint32_t ends = 0;

	for (uint32_t at = 0; at < net_graph_switches(&grid->graph); at++)
		for (uint32_t d = 0; d < grid->count; d++)
			for (int onward = 0; onward < 2; onward++)
				ends += line_ends(grid, at, d, onward != 0);
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

// Whether a switch has a host, and its ports to its neighbours ascend.
static bool dimension_ascends(const struct net_grid *grid, uint32_t at)
{
	const uint32_t node = at + grid->graph.hosts;
	uint32_t least = 0;
	bool has_host = false;

	for (uint32_t port = 0; port < net_graph_ports(&grid->graph, node); port++)
		has_host |= net_graph_peer(&grid->graph, node, port)->node < grid->graph.hosts;
	for (uint32_t i = 0; i < 2 * grid->count; i++) {
		const bool onward = i % 2 == 0;

		if (net_grid_neighbour(&grid->dimensions[i / 2], at, onward) == NET_NOBODY)
			continue;
		if (net_grid_port(grid, at, i / 2, onward) < least)
			return false;
		least = net_grid_port(grid, at, i / 2, onward) + 1u;
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
	.summary = "dimension order in meshes, tori and hypercubes",
	.make = dimension_make,
};
