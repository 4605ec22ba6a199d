// SPDX-License-Identifier: GPL-3.0-or-later
// Routes of shortest legal ways: computed one by one, or balanced so that no channel has many more
// routes than another.
#include "net/routings/ways.h"

#include <stdlib.h>

#include "net/routes/routes.h"

// The best way on from a state, for the current pair.
struct ways_routes_outlook {
	uint64_t pair;	  // the pair it belongs to, from 1
	uint32_t fullest; // routes on the fullest channel
	uint64_t sum;	  // over the channels
	uint16_t port;	  // to leave by
	uint32_t next;	  // state there
};

struct spread {
	const struct net_ways *ways;
	struct net_routes table;
	struct ways_routes_outlook *outlooks; // of each state
	uint32_t *met;	 // states in the order of their distance, farthest first
	uint32_t *loads; // routes on each link
	uint16_t *ports;
	uint64_t pair;
};

static enum tr_status open_spread(struct spread *spread, const struct net_routes *routes,
				  const struct net_ways *ways, struct tr_error *err)
{
	*spread = (struct spread){.ways = ways};
	spread->outlooks = calloc(ways->states + 1, sizeof(*spread->outlooks));
	spread->met = calloc(ways->states + 1, sizeof(*spread->met));
	spread->loads = calloc(ways->graph.first[ways->graph.nodes] + 2, sizeof(*spread->loads));
	spread->ports = calloc(routes->longest, sizeof(*spread->ports));
	if (!spread->outlooks || !spread->met || !spread->loads || !spread->ports)
		return tr_no_memory(err, "the load of the routes");
	return net_route_table_open(&spread->table, routes->hosts, err);
}

static void close_spread(struct spread *spread)
{
	free(spread->outlooks);
	free(spread->met);
	free(spread->loads);
	free(spread->ports);
}

static uint32_t ways_routes_node_of(const struct net_ways *ways, uint32_t state)
{
	return state / ways->phases + ways->graph.hosts;
}

// The port's far state if it is one step nearer, otherwise NET_NOBODY.
static uint32_t step_nearer(const struct net_ways *ways, const uint16_t *distance, uint32_t state,
			    uint32_t port)
{
	uint32_t next = net_ways_step(
		ways, state, net_graph_peer(&ways->graph, ways_routes_node_of(ways, state), port));

	return next != NET_NOBODY && distance[next] + 1 == distance[state] ? next : NET_NOBODY;
}

// All states on shortest ways from start, nearest to start first; returns how many.
static uint32_t ways_routes_meet(struct spread *spread, const uint16_t *distance, uint32_t start)
{
	const struct net_ways *ways = spread->ways;
	uint32_t count = 1;

	spread->met[0] = start;
	spread->outlooks[start].pair = ++spread->pair;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t state = spread->met[i];
		uint32_t ports = net_graph_ports(&ways->graph, ways_routes_node_of(ways, state));

		for (uint32_t port = 0; port < ports; port++) {
			uint32_t next = step_nearer(ways, distance, state, port);

			if (next == NET_NOBODY || spread->outlooks[next].pair == spread->pair)
				continue;
			spread->outlooks[next].pair = spread->pair;
			spread->met[count++] = next;
		}
	}
	return count;
}

// Chooses the best port of a state; all nearer states are done.
static void ways_routes_look_out(struct spread *spread, const uint16_t *distance, uint32_t state)
{
	const struct net_ways *ways = spread->ways;
	struct ways_routes_outlook *best = &spread->outlooks[state];
	uint32_t node = ways_routes_node_of(ways, state);

	best->fullest = distance[state] > 0 ? UINT32_MAX : 0;
	best->sum = distance[state] > 0 ? UINT64_MAX : 0;
	for (uint32_t port = 0; port < net_graph_ports(&ways->graph, node); port++) {
		uint32_t next = step_nearer(ways, distance, state, port);
		struct ways_routes_outlook way;

		if (next == NET_NOBODY)
			continue;
		way = (struct ways_routes_outlook){best->pair, spread->outlooks[next].fullest,
						   spread->outlooks[next].sum, (uint16_t)port,
						   next};
		way.sum += spread->loads[net_graph_peer(&ways->graph, node, port)->link];
		if (spread->loads[net_graph_peer(&ways->graph, node, port)->link] > way.fullest)
			way.fullest = spread->loads[net_graph_peer(&ways->graph, node, port)->link];
		if (way.fullest < best->fullest ||
		    (way.fullest == best->fullest && way.sum < best->sum))
			*best = way;
	}
}

static enum tr_status ways_routes_route(struct spread *spread, uint32_t source,
					uint32_t destination, struct tr_error *err)
{
	const struct net_ways *ways = spread->ways;
	const uint16_t *distance = net_ways_to(ways, destination);
	uint32_t state = net_ways_start(ways, source);
	uint32_t count = 0;

	if (state == NET_NOBODY || !distance)
		return source == destination ? TR_OK
					     : net_route_table_put(&spread->table, source,
								   destination, NULL, 0, err);
	for (uint32_t i = ways_routes_meet(spread, distance, state); i > 0; i--)
		ways_routes_look_out(spread, distance, spread->met[i - 1]);
	while (distance[state] > 0) {
		const struct ways_routes_outlook *way = &spread->outlooks[state];

		spread->loads[net_graph_peer(&ways->graph, ways_routes_node_of(ways, state),
					     way->port)
				      ->link]++;
		spread->ports[count++] = way->port;
		state = way->next;
	}
	spread->ports[count++] = (uint16_t)net_graph_peer(&ways->graph, destination, 0)->port;
	return net_route_table_put(&spread->table, source, destination, spread->ports, count, err);
}

// Pairs are ordered by the difference of their numbers, so that no host's routes are all laid
// before another's.
static enum tr_status route_all(struct spread *spread, uint32_t hosts, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (uint32_t offset = 0; offset < hosts; offset++)
		for (uint32_t source = 0; source < hosts && status == TR_OK; source++)
			status = ways_routes_route(spread, source, (source + offset) % hosts, err);
	return status;
}

// Replaces routes, whose ways these are, by a table: each pair in turn takes, among its shortest
// legal ways, the one whose fullest channel has the fewest routes so far, then the one with the
// smallest sum, then the lowest ports. TR_ERROR where memory runs out; routes are unchanged then.
static enum tr_status spread_by_load(struct net_routes *routes, const struct net_ways *ways,
				     struct tr_error *err)
{
	struct spread spread;
	enum tr_status status = open_spread(&spread, routes, ways, err);

	if (status == TR_OK)
		status = route_all(&spread, routes->hosts, err);
	if (status == TR_OK) {
		net_routes_clear(routes);
		*routes = spread.table;
	} else {
		net_routes_clear(&spread.table);
	}
	close_spread(&spread);
	return status;
}

// A worm in transit.
struct ways_routes_walk {
	const struct net_ways *ways;
	const uint16_t *distance; // to its destination
	struct net_choice choice;
};

static uint32_t ways_routes_list(const struct net_ways *ways, const uint16_t *distance,
				 uint32_t state, struct net_branch branches[NET_PORTS_MAX])
{
	const uint32_t node = ways_routes_node_of(ways, state);
	uint32_t count = 0;

	for (uint32_t port = 0; port < net_graph_ports(&ways->graph, node); port++) {
		const uint32_t next = step_nearer(ways, distance, state, port);

		if (next != NET_NOBODY)
			branches[count++] = (struct net_branch){
				port, net_graph_peer(&ways->graph, node, port)->link, next, 0};
	}
	return count;
}

static uint32_t ways_routes_take_port(struct ways_routes_walk *walk, uint32_t *state)
{
	struct net_branch branches[NET_PORTS_MAX];
	uint32_t count = ways_routes_list(walk->ways, walk->distance, *state, branches);

	count = net_choice_make(&walk->choice, *state, branches, count);
	*state = branches[count].next;
	return branches[count].port;
}

static uint32_t ways_routes_get_way(const void *state, uint32_t source, uint32_t destination,
				    uint32_t way, uint16_t *ports)
{
	const struct net_ways *ways = state;
	struct ways_routes_walk walk = {.ways = ways, .distance = net_ways_to(ways, destination)};
	const struct net_peer *first = net_graph_peer(&ways->graph, source, 0);
	uint32_t at = net_ways_start(ways, source);
	uint32_t count = 0;

	if (at == NET_NOBODY || !walk.distance)
		return first->node == destination ? 0 : NET_NO_ROUTE;
	if (walk.distance[at] == NET_FAR)
		return NET_NO_ROUTE;
	net_choice_start(&walk.choice, &ways->ties, source, destination, at / ways->phases, way);
	while (walk.distance[at] > 0)
		ports[count++] = (uint16_t)ways_routes_take_port(&walk, &at);
	ports[count++] = (uint16_t)net_graph_peer(&ways->graph, destination, 0)->port;
	return count;
}

static uint32_t ways_routes_start(const void *state, uint32_t source, uint32_t destination,
				  uint32_t n)
{
	const uint16_t *distance = net_ways_to(state, destination);
	const uint32_t start = net_ways_start(state, source);

	(void)n;
	return start != NET_NOBODY && distance && distance[start] != NET_FAR ? start : NET_NO_ROUTE;
}

static uint32_t ways_routes_branches(const void *state, uint32_t place, uint32_t destination,
				     struct net_branch branches[NET_PORTS_MAX])
{
	return ways_routes_list(state, net_ways_to(state, destination), place, branches);
}

static void ways_routes_clear(void *state)
{
	net_ways_close(state);
	free(state);
}

static const struct net_routes_ways spreading = {.get = ways_routes_get_way,
						 .start = ways_routes_start,
						 .branches = ways_routes_branches};
static const struct net_routes_form form = {.clear = ways_routes_clear, .ways = &spreading};

// Whether there is a way from one host to another.
static bool ways_join(const struct net_ways *ways, uint32_t source, uint32_t to)
{
	const uint16_t *distance = net_ways_to(ways, to);
	const uint32_t start = net_ways_start(ways, source);

	return to == source || net_graph_peer(&ways->graph, source, 0)->node == to ||
	       (start != NET_NOBODY && distance && distance[start] != NET_FAR);
}

// Names the first two hosts that are not connected.
static enum tr_status ways_fail_apart(const struct net_ways *ways, struct tr_error *err)
{
	for (uint32_t source = 0; source < ways->graph.hosts; source++)
		for (uint32_t to = 0; to < ways->graph.hosts; to++)
			if (!ways_join(ways, source, to))
				return tr_fail(err, "no route from host %u to host %u", source, to);
	return TR_OK;
}

// The longest route; TR_ERROR where two hosts are not connected. The hosts of a switch are as far
// as its first.
static enum tr_status longest_way(const struct net_ways *ways, uint32_t *longest,
				  struct tr_error *err)
{
	*longest = 1;
	for (uint32_t to = 0; to < ways->graph.hosts; to++) {
		const uint16_t *distance = net_ways_to(ways, to);

		for (uint32_t source = 0; ways->ties.place[to] == 0 && source < ways->graph.hosts;
		     source++) {
			if (ways->ties.place[source] > 0)
				continue;
			if (!ways_join(ways, source, to))
				return ways_fail_apart(ways, err);
			if (distance && distance[net_ways_start(ways, source)] + 1u > *longest)
				*longest = distance[net_ways_start(ways, source)] + 1u;
		}
	}
	return TR_OK;
}

enum tr_status net_ways_check_joined(const struct net_ways *ways, struct tr_error *err)
{
	uint32_t longest;

	return longest_way(ways, &longest, err);
}

enum tr_status net_ways_routes(struct net_ways *ways, struct net_routes *routes,
			       struct tr_error *err)
{
	struct net_ways *state = malloc(sizeof(*state));

	*routes = (struct net_routes){0};
	if (!state) {
		net_ways_close(ways);
		return tr_no_memory(err, "routes");
	}
	*state = *ways;
	*routes = (struct net_routes){.hosts = ways->graph.hosts,
				      .form = &form,
				      .state = state,
				      .by_switch = net_tie_by_switch(ways->ties.tie),
				      .spread = net_tie_spread(ways->ties.tie),
				      .acyclic = state->rank != NULL};
	if (longest_way(state, &routes->longest, err) != TR_OK)
		return TR_ERROR;
	return state->ties.tie == NET_TIE_LOAD ? spread_by_load(routes, state, err) : TR_OK;
}
