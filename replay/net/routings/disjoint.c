// SPDX-License-Identifier: GPL-3.0-or-later
// Ways between two switches that have no cable, or no switch, in common: as many as are asked for
// or as there are (Menger), together as short as possible. Each is found as the shortest way that
// may give back what the ways before it took (J. W. Suurballe, Disjoint paths in a network,
// Networks 4, 1974): a flow of least cost, of one unit for each cable or switch. A flow of least
// cost has no cycle, and uses no cable both ways: so its ways are simple, and have no cable in
// common.
#include <stdlib.h>
#include <string.h>

#include "net/routings/routing.h"
#include "net/topology/graph.h"
#include "value/grow.h"
#include "value/philox.h"
#include "value/random.h"

#define DISJOINT_PATHS_MOST 16u

enum disjoint_per { DISJOINT_PACKET, DISJOINT_FLOW, DISJOINT_FIRST };

struct disjoint_params {
	uint64_t paths;
	bool by_switch;
	enum disjoint_per per;
	uint64_t lanes;
	uint64_t seed;
};

// A place on a way; behind its last step is one with link NET_NOBODY.
struct disjoint_step {
	uint32_t link;
	uint16_t step;
};

struct net_disjoint {
	struct net_graph graph;
	uint32_t paths; // of a pair, at most
	uint32_t lanes;
	enum disjoint_per per;
	uint32_t key[2];  // of the draws
	uint32_t *column; // by switch: its number among those with hosts; NET_NOBODY
	uint32_t columns;
	uint32_t *ways; // [(from * columns + to) * paths + n]: the first step; NET_NO_ROUTE
	struct disjoint_step *steps;
	size_t used;
	size_t room;
	struct net_routes_ways ways_of;
	struct net_routes_form form;
};

// A unit of flow that has come to a switch, or is to leave it (2 * switch + 1).
struct disjoint_state {
	int32_t cost;
	uint32_t before; // the state that it is reached from,
	uint32_t via;	 // and the link; NET_NOBODY: none
	bool queued;
	bool through; // of a switch's first: a way goes through it
};

// The search between two switches.
struct disjoint_search {
	const struct net_graph *graph;
	bool by_switch;
	uint32_t count;
	struct disjoint_state *states;
	bool *flow;	 // by link
	uint32_t *queue; // a ring of states
	uint32_t first;
	uint32_t waiting;
};

static enum tr_status disjoint_search_open(struct disjoint_search *search,
					   const struct net_graph *graph, bool by_switch,
					   struct tr_error *err)
{
	const uint32_t count = 2 * net_graph_switches(graph);

	*search = (struct disjoint_search){
		.graph = graph,
		.by_switch = by_switch,
		.count = count,
		.states = calloc((size_t)count + 1, sizeof(*search->states)),
		.flow = calloc((size_t)graph->links + 1, sizeof(*search->flow)),
		.queue = calloc((size_t)count + 1, sizeof(*search->queue))};
	return search->states && search->flow && search->queue ? TR_OK
							       : tr_no_memory(err, "routes");
}

// A way to a state at this cost is kept if none is cheaper.
static void disjoint_reach(struct disjoint_search *search, uint32_t state, uint32_t before,
			   uint32_t via, int32_t cost)
{
	struct disjoint_state *there = &search->states[state];

	if (cost >= there->cost)
		return;
	there->cost = cost;
	there->before = before;
	there->via = via;
	if (!there->queued)
		search->queue[(search->first + search->waiting++) % search->count] = state;
	there->queued = true;
}

// Where a unit gets from a state: over a free cable, back over one that a way takes, which costs
// one less, or through the switch. What goes both ways over a cable would take it twice.
static void disjoint_expand(struct disjoint_search *search, uint32_t state)
{
	const uint32_t at = state / 2, node = at + search->graph->hosts;
	const bool leaves = state % 2 != 0;
	const int32_t cost = search->states[state].cost;

	if (!search->by_switch || search->states[2 * at].through == leaves)
		disjoint_reach(search, state ^ 1u, state, NET_NOBODY, cost);
	for (uint32_t port = 0; port < net_graph_ports(search->graph, node); port++) {
		const struct net_peer *peer = net_graph_peer(search->graph, node, port);
		uint32_t next;

		if (!net_graph_is_switch(search->graph, peer->node) || peer->node == node)
			continue;
		next = 2 * (peer->node - search->graph->hosts);
		if (leaves && !search->flow[peer->link] && !search->flow[peer->link ^ 1u])
			disjoint_reach(search, next, state, peer->link, cost + 1);
		else if (!leaves && search->flow[peer->link ^ 1u])
			disjoint_reach(search, next + 1, state, peer->link, cost - 1);
	}
}

// One more way from a switch to another; false if there is none.
static bool disjoint_augment(struct disjoint_search *search, uint32_t from, uint32_t to)
{
	const uint32_t start = 2 * from + 1, end = 2 * to;

	for (uint32_t i = 0; i < search->count; i++)
		search->states[i].cost = INT32_MAX;
	search->first = search->waiting = 0;
	disjoint_reach(search, start, start, NET_NOBODY, 0);
	while (search->waiting > 0) {
		const uint32_t state = search->queue[search->first];

		search->first = (search->first + 1) % search->count;
		search->waiting--;
		search->states[state].queued = false;
		if (state != end)
			disjoint_expand(search, state);
	}
	if (search->states[end].cost == INT32_MAX)
		return false;
	for (uint32_t state = end; state != start; state = search->states[state].before) {
		const uint32_t via = search->states[state].via;

		if (via == NET_NOBODY)
			search->states[state & ~1u].through = state % 2 != 0;
		else if (state % 2 == 0)
			search->flow[via] = true;
		else
			search->flow[via ^ 1u] = false;
	}
	return true;
}

// Follows a way of the flow, which it takes out of it; returns its links, 0 where memory runs out.
static uint32_t disjoint_follow(struct net_disjoint *disjoint, struct disjoint_search *search,
				uint32_t from, uint32_t to)
{
	uint32_t node = from + search->graph->hosts, port = 0, hops = 0;

	while (node != to + search->graph->hosts) {
		const struct net_peer *peer = net_graph_peer(search->graph, node, port);
		const uint32_t lane = hops < disjoint->lanes ? hops : disjoint->lanes - 1;

		if (peer->node == NET_NOBODY || !search->flow[peer->link]) {
			port++;
			continue;
		}
		if (!GROW(disjoint->steps, disjoint->room, disjoint->used))
			return 0;
		search->flow[peer->link] = false;
		disjoint->steps[disjoint->used++] = (struct disjoint_step){peer->link,
									   net_step(port, lane)};
		node = peer->node;
		port = 0;
		hops++;
	}
	if (!GROW(disjoint->steps, disjoint->room, disjoint->used))
		return 0;
	disjoint->steps[disjoint->used++].link = NET_NOBODY;
	return hops;
}

// The ways of a pair of switches, the shortest first, then by their first ports.
static enum tr_status disjoint_pair(struct net_disjoint *disjoint, struct disjoint_search *search,
				    uint32_t from, uint32_t to, uint32_t *longest,
				    struct tr_error *err)
{
	uint32_t *ways = disjoint->ways + ((size_t)disjoint->column[from] * disjoint->columns +
					   disjoint->column[to]) *
						  disjoint->paths;
	uint32_t lengths[DISJOINT_PATHS_MOST], count = 0;

	memset(search->flow, 0, search->graph->links * sizeof(*search->flow));
	memset(search->states, 0, search->count * sizeof(*search->states));
	while (count < disjoint->paths && disjoint_augment(search, from, to))
		count++;
	if (count == 0)
		return tr_fail(err, "no way from switch %u to switch %u", from, to);
	for (uint32_t i = 0; i < count; i++) {
		const size_t begin = disjoint->used;
		const uint32_t length = disjoint_follow(disjoint, search, from, to);
		uint32_t at = i;

		if (length == 0 || disjoint->used >= NET_NO_ROUTE)
			return tr_no_memory(err, "routes");
		for (; at > 0 && lengths[at - 1] > length; at--) {
			lengths[at] = lengths[at - 1];
			ways[at] = ways[at - 1];
		}
		lengths[at] = length;
		ways[at] = (uint32_t)begin;
		*longest = length > *longest ? length : *longest;
	}
	return TR_OK;
}

// ---- routes

static uint32_t disjoint_starts(const void *state)
{
	return ((const struct net_disjoint *)state)->paths;
}

static uint32_t disjoint_start(const void *state, uint32_t source, uint32_t destination, uint32_t n)
{
	const struct net_disjoint *disjoint = state;
	const uint32_t from = net_graph_home(&disjoint->graph, source),
		       to = net_graph_home(&disjoint->graph, destination);

	if (from == NET_NOBODY || to == NET_NOBODY || n >= disjoint->paths)
		return NET_NO_ROUTE;
	return disjoint
		->ways[((size_t)disjoint->column[from] * disjoint->columns + disjoint->column[to]) *
			       disjoint->paths +
		       n];
}

static uint32_t disjoint_branches(const void *state, uint32_t place, uint32_t destination,
				  struct net_branch branches[NET_PORTS_MAX])
{
	const struct disjoint_step *step = &((const struct net_disjoint *)state)->steps[place];

	(void)destination;
	if (step->link == NET_NOBODY)
		return 0;
	branches[0] = (struct net_branch){net_step_port(step->step), step->link, place + 1,
					  net_step_lane(step->step)};
	return 1;
}

static uint32_t disjoint_nth(const void *state, uint32_t source, uint32_t destination, uint32_t n,
			     uint16_t *steps)
{
	const struct net_disjoint *disjoint = state;
	const struct net_peer *own = net_graph_peer(&disjoint->graph, source, 0);
	uint32_t place = disjoint_start(state, source, destination, n), count = 0;

	if (n == 0 && own->node == destination)
		return 0;
	if (place == NET_NO_ROUTE)
		return NET_NO_ROUTE;
	for (; disjoint->steps[place].link != NET_NOBODY; place++)
		steps[count++] = disjoint->steps[place].step;
	steps[count] = net_step(net_graph_peer(&disjoint->graph, destination, 0)->port,
				count > 0 ? net_step_lane(steps[count - 1]) : 0);
	return count + 1;
}

static uint32_t disjoint_draw(const void *state, uint32_t source, uint32_t destination,
			      uint32_t way)
{
	const struct net_disjoint *disjoint = state;
	const uint32_t counter[4] = {source, destination, way, 0};
	uint32_t block[4], count = 1;

	if (disjoint->per == DISJOINT_FIRST)
		return 0;
	while (disjoint_start(state, source, destination, count) != NET_NO_ROUTE)
		count++;
	philox_block(counter, disjoint->key, block);
	return (uint32_t)((uint64_t)block[0] * count >> 32);
}

static uint32_t disjoint_get_way(const void *state, uint32_t source, uint32_t destination,
				 uint32_t way, uint16_t *steps)
{
	return disjoint_nth(state, source, destination,
			    disjoint_draw(state, source, destination, way), steps);
}

static uint32_t disjoint_get(const void *state, uint32_t source, uint32_t destination,
			     uint16_t *steps)
{
	return disjoint_get_way(state, source, destination, 0, steps);
}

static void disjoint_clear(void *state)
{
	struct net_disjoint *disjoint = state;

	net_graph_close(&disjoint->graph);
	free(disjoint->column);
	free(disjoint->ways);
	free(disjoint->steps);
	free(disjoint);
}

// Numbers the switches with hosts, and makes room for the ways of their pairs.
static enum tr_status disjoint_open(struct net_disjoint *disjoint,
				    const struct net_topology *topology, struct tr_error *err)
{
	size_t ways;

	disjoint->column = malloc(((size_t)topology->switches + 1) * sizeof(*disjoint->column));
	if (!disjoint->column || !GROW(disjoint->steps, disjoint->room, disjoint->used))
		return tr_no_memory(err, "routes");
	disjoint->steps[disjoint->used++].link = NET_NOBODY; // of a switch to itself
	memset(disjoint->column, 0xff, topology->switches * sizeof(*disjoint->column));
	if (net_graph_open(&disjoint->graph, topology, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t host = 0; host < topology->hosts; host++) {
		const uint32_t home = net_graph_home(&disjoint->graph, host);

		if (home == NET_NOBODY && topology->hosts > 2)
			return tr_fail(err, "host %u is on no switch", host);
		if (home != NET_NOBODY && disjoint->column[home] == NET_NOBODY)
			disjoint->column[home] = disjoint->columns++;
	}
	ways = (size_t)disjoint->columns * disjoint->columns * disjoint->paths;
	disjoint->ways = malloc((ways + 1) * sizeof(*disjoint->ways));
	if (!disjoint->ways)
		return tr_no_memory(err, "routes");
	memset(disjoint->ways, 0xff, ways * sizeof(*disjoint->ways));
	for (size_t i = 0; i < disjoint->columns; i++)
		disjoint->ways[i * (disjoint->columns + 1) * disjoint->paths] = 0;
	return TR_OK;
}

static enum tr_status disjoint_find(struct net_disjoint *disjoint, bool by_switch,
				    uint32_t *longest, struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(&disjoint->graph);
	struct disjoint_search search;
	enum tr_status status = disjoint_search_open(&search, &disjoint->graph, by_switch, err);

	for (uint32_t from = 0; from < switches; from++)
		for (uint32_t to = 0; to < switches && status == TR_OK; to++)
			if (from != to && disjoint->column[from] != NET_NOBODY &&
			    disjoint->column[to] != NET_NOBODY)
				status = disjoint_pair(disjoint, &search, from, to, longest, err);
	free(search.states);
	free(search.flow);
	free(search.queue);
	return status;
}

static enum tr_status disjoint_make(struct net_routes *routes, const struct net_topology *topology,
				    const void *params, struct tr_error *err)
{
	const struct disjoint_params *own = params;
	struct net_disjoint *disjoint = calloc(1, sizeof(*disjoint));
	struct tr_random random;
	uint32_t longest = 1;

	*routes = (struct net_routes){0};
	if (!disjoint)
		return tr_no_memory(err, "routes");
	disjoint->ways_of = (struct net_routes_ways){.get = disjoint_get_way,
						     .start = disjoint_start,
						     .branches = disjoint_branches,
						     .starts = disjoint_starts,
						     .nth = disjoint_nth,
						     .draw = disjoint_draw,
						     .adapts = own->per == DISJOINT_FIRST};
	disjoint->form = (struct net_routes_form){disjoint_get, disjoint_clear, &disjoint->ways_of};
	*routes = (struct net_routes){
		.hosts = topology->hosts, .longest = 1, .form = &disjoint->form, .state = disjoint};
	if (own->paths < 1 || own->paths > DISJOINT_PATHS_MOST)
		return tr_fail(err, "paths=%llu: expected 1 to %u", (unsigned long long)own->paths,
			       DISJOINT_PATHS_MOST);
	if (own->lanes < 1 || own->lanes > NET_LANES_MAX)
		return tr_fail(err, "lanes=%llu: expected 1 to %u", (unsigned long long)own->lanes,
			       NET_LANES_MAX);
	tr_random_open(&random, own->seed, "routes");
	memcpy(disjoint->key, random.key, sizeof(disjoint->key));
	disjoint->paths = (uint32_t)own->paths;
	disjoint->lanes = (uint32_t)own->lanes;
	disjoint->per = own->per;
	if (disjoint_open(disjoint, topology, err) != TR_OK ||
	    disjoint_find(disjoint, own->by_switch, &longest, err) != TR_OK)
		return TR_ERROR;
	routes->longest = longest + 1;
	routes->lanes = disjoint->lanes < longest ? disjoint->lanes : longest;
	routes->changes_lane = routes->lanes > 1;
	routes->acyclic = routes->lanes == longest;
	routes->spread = own->per == DISJOINT_PACKET ? NET_SPREAD_PACKET : NET_SPREAD_FLOW;
	return TR_OK;
}

static const struct key keys[] = {
	{"paths", KEY_COUNT, offsetof(struct disjoint_params, paths), NULL, NULL,
	 "ways of a pair at most, 1 to 16"},
	{"apart", KEY_FLAG, offsetof(struct disjoint_params, by_switch), "cables|switches", NULL,
	 "what two ways of a pair do not have in common"},
	{"per", KEY_WORD, offsetof(struct disjoint_params, per), "packet|flow|first", NULL,
	 "for what a way is drawn, or take the first"},
	{"lanes", KEY_COUNT, offsetof(struct disjoint_params, lanes), NULL, NULL,
	 "lanes, 1 to 64: that of the links passed, the last for all further ones"},
	{"seed", KEY_COUNT, offsetof(struct disjoint_params, seed), NULL, "per=packet|flow",
	 "seed of the ways that are drawn"},
	{.type = KEY_END}};
static const struct disjoint_params usual = {.paths = 2, .per = DISJOINT_FLOW, .lanes = 1};

const struct net_routing net_routing_disjoint = {
	.name = "disjoint",
	.summary = "several ways of each pair, without a common cable or switch",
	.keys = keys,
	.params_bytes = sizeof(usual),
	.usual = &usual,
	.lanes_at = offsetof(struct disjoint_params, lanes),
	.make = disjoint_make,
};
