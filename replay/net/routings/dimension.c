// SPDX-License-Identifier: GPL-3.0-or-later
// Meshes, tori and hypercubes: a worm moves first in the first dimension, then in the second, and so on (dimension order; Dally
// and Seitz, IEEE Trans. Computers 36(5), 1987). Without rings, worms cannot wait for one another in a cycle.
//
// The switch at (x, y, z) must have number x + X (y + Y z), as the generators make it; the sizes are inferred from the cables.
// In a ring a worm takes the shorter direction, the ascending one if both are equal: of the two cables of a ring of two (twice=yes)
// that on its lowest port, which is the ascending one.
#include <stdlib.h>

#include "net/graph.h"
#include "net/routings/routing.h"

#define DIMENSIONS_MAX 32u

struct dimension {
	uint32_t size;
	uint32_t stride; // between the numbers of neighbours
	bool closed;
};

struct grid {
	struct net_graph graph;
	struct dimension dimensions[DIMENSIONS_MAX];
	uint32_t count;
	uint16_t *onward; // [switch * count + dimension]: the port to the next switch, lowest
	uint16_t *back;	  // and to the previous one
};

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
static enum tr_status find_sizes(struct grid *grid, struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(&grid->graph);
	uint64_t stride = 1;

	while (stride < switches) {
		struct dimension *dimension = &grid->dimensions[grid->count];
		uint64_t size = 1;

		while (joined(&grid->graph, (size - 1) * stride, size * stride))
			size++;
		if (size == 1 || switches % (stride * size) != 0 || grid->count == DIMENSIONS_MAX)
			return tr_fail(err, "expected a mesh or torus with switches numbered line by line");
		*dimension = (struct dimension){.size = (uint32_t)size, .stride = (uint32_t)stride};
		dimension->closed = size > 2 && joined(&grid->graph, 0, (size - 1) * stride);
		grid->count++;
		stride *= size;
	}
	return TR_OK;
}

static uint32_t coordinate(const struct dimension *dimension, uint32_t at)
{
	return at / dimension->stride % dimension->size;
}

// The neighbour in a direction; NET_NOBODY beyond the end of an open line.
static uint32_t neighbour(const struct dimension *dimension, uint32_t at, bool onward)
{
	uint32_t x = coordinate(dimension, at);
	uint32_t line = at - x * dimension->stride;

	if (!dimension->closed && x == (onward ? dimension->size - 1 : 0))
		return NET_NOBODY;
	x = onward ? (x + 1) % dimension->size : (x + dimension->size - 1) % dimension->size;
	return line + x * dimension->stride;
}

static enum tr_status find_port(const struct grid *grid, uint32_t at, uint32_t d, bool onward, struct tr_error *err)
{
	uint32_t next = neighbour(&grid->dimensions[d], at, onward);
	uint32_t port = next == NET_NOBODY ? 0 : port_to(&grid->graph, at, next);

	if (port == NET_NOBODY)
		return tr_fail(err, "switches %u and %u are not joined; in this mesh they must be", at, next);
	(onward ? grid->onward : grid->back)[(size_t)at * grid->count + d] = (uint16_t)port;
	return TR_OK;
}

static enum tr_status find_ports(struct grid *grid, struct tr_error *err)
{
	const size_t places = (size_t)net_graph_switches(&grid->graph) * grid->count + 1;

	grid->onward = calloc(places, sizeof(*grid->onward));
	grid->back = calloc(places, sizeof(*grid->back));
	if (!grid->onward || !grid->back)
		return tr_no_memory(err, "routes");
	for (uint32_t at = 0; at < net_graph_switches(&grid->graph); at++)
		for (uint32_t d = 0; d < grid->count; d++)
			if (find_port(grid, at, d, true, err) != TR_OK || find_port(grid, at, d, false, err) != TR_OK)
				return TR_ERROR;
	return TR_OK;
}

static bool are_neighbours(const struct grid *grid, uint32_t a, uint32_t b)
{
	for (uint32_t d = 0; d < grid->count; d++)
		if (neighbour(&grid->dimensions[d], a, true) == b || neighbour(&grid->dimensions[d], a, false) == b)
			return true;
	return false;
}

// A cable that skips switches of its line, as in circulants and flattened butterflies, would never be used.
static enum tr_status check_cables(const struct grid *grid, struct tr_error *err)
{
	const struct net_graph *graph = &grid->graph;

	for (uint32_t at = 0; at < net_graph_switches(graph); at++)
		for (uint32_t port = 0; port < net_graph_ports(graph, at + graph->hosts); port++) {
			const uint32_t node = net_graph_peer(graph, at + graph->hosts, port)->node;

			if (net_graph_is_switch(graph, node) && !are_neighbours(grid, at, node - graph->hosts))
				return tr_fail(
					err,
					"expected a mesh or torus, found a cable between switches %u and %u, which are not "
					"neighbours in one; routes by shortest or updown use all cables",
					at, node - graph->hosts);
		}
	return TR_OK;
}

// Steps between the coordinates of two switches, and the direction.
static uint32_t distance(const struct dimension *dimension, uint32_t from, uint32_t to, bool *onward)
{
	uint32_t x = coordinate(dimension, from);
	uint32_t goal = coordinate(dimension, to);
	uint32_t up = goal >= x ? goal - x : goal + dimension->size - x;
	uint32_t down = dimension->size - up;

	*onward = dimension->closed ? up <= down : goal >= x;
	if (up == 0)
		return 0;
	if (dimension->closed)
		return *onward ? up : down;
	return *onward ? goal - x : x - goal;
}

static uint32_t get(const void *state, uint32_t source, uint32_t destination, uint16_t *ports)
{
	const struct grid *grid = state;
	const struct net_peer *first = net_graph_peer(&grid->graph, source, 0);
	const struct net_peer *last = net_graph_peer(&grid->graph, destination, 0);
	uint32_t count = 0;
	uint32_t at;

	if (!net_graph_is_switch(&grid->graph, first->node))
		return first->node == destination ? 0 : NET_NO_ROUTE;
	at = first->node - grid->graph.hosts;
	for (uint32_t d = 0; d < grid->count; d++) {
		const struct dimension *dimension = &grid->dimensions[d];
		bool onward;

		for (uint32_t left = distance(dimension, at, last->node - grid->graph.hosts, &onward); left > 0; left--) {
			ports[count++] = (onward ? grid->onward : grid->back)[(size_t)at * grid->count + d];
			at = neighbour(dimension, at, onward);
		}
	}
	ports[count++] = (uint16_t)last->port;
	return count;
}

static void clear(void *state)
{
	struct grid *grid = state;

	net_graph_close(&grid->graph);
	free(grid->onward);
	free(grid->back);
	free(grid);
}

static const struct net_routes_form form = {get, clear};

static enum tr_status make(struct net_routes *routes, const struct net_topology *topology, const void *params,
			   struct tr_error *err)
{
	struct grid *grid = calloc(1, sizeof(*grid));

	(void)params;
	if (!grid)
		return tr_no_memory(err, "routes");
	*routes = (struct net_routes){.hosts = topology->hosts, .longest = 1, .form = &form, .state = grid};
	if (net_graph_open(&grid->graph, topology, err) != TR_OK || find_sizes(grid, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t d = 0; d < grid->count; d++)
		routes->longest += grid->dimensions[d].closed ? grid->dimensions[d].size / 2 : grid->dimensions[d].size - 1;
	return find_ports(grid, err) == TR_OK ? check_cables(grid, err) : TR_ERROR;
}

// Cables of a switch to another.
static uint32_t count_cables(const struct net_graph *graph, uint32_t from, uint32_t to)
{
	uint32_t cables = 0;

	for (uint32_t port = 0; port < net_graph_ports(graph, from + graph->hosts); port++)
		cables += net_graph_peer(graph, from + graph->hosts, port)->node == to + graph->hosts;
	return cables;
}

// Those of a switch in a direction of a dimension: one, or in a dimension of two both, which may lie there twice.
static uint32_t line_ends(const struct grid *grid, uint32_t at, uint32_t d, bool onward)
{
	const struct dimension *dimension = &grid->dimensions[d];
	const uint32_t next = neighbour(dimension, at, onward);

	if (next == NET_NOBODY)
		return 0;
	return dimension->size == 2 && count_cables(&grid->graph, at, next) == 2 ? 2 : 1;
}

// Cables of the grid, each counted at both of its ends.
static uint32_t grid_ends(const struct grid *grid)
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

bool net_routing_is_grid(const struct net_topology *topology)
{
	struct net_routes routes = {0};
	const struct grid *grid;
	bool is_grid = false;

	if (make(&routes, topology, NULL, NULL) == TR_OK) {
		grid = routes.state;
		is_grid = grid->count > 1 && grid_ends(grid) == switch_ends(&grid->graph);
	}
	net_routes_clear(&routes);
	return is_grid;
}

const struct net_routing net_routing_dimension = {
	.name = "dimension",
	.summary = "dimension order in meshes, tori and hypercubes",
	.make = make,
};
