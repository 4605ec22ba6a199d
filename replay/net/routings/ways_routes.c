// SPDX-License-Identifier: GPL-3.0-or-later
// Routes over shortest legal ways, one pair at a time.
#include <stdlib.h>

#include "net/routings/ways.h"
#include "net/routings/ways_by_load.h"

// One worm on its way.
struct walk {
	const struct net_ways *ways;
	const uint16_t *distance; // to its destination
	struct net_choice choice;
};

static uint32_t take_port(struct walk *walk, uint32_t *state)
{
	const struct net_ways *ways = walk->ways;
	const uint32_t node = *state / ways->phases + ways->graph.hosts;
	struct net_branch branches[NET_PORTS_MAX];
	uint32_t count = 0;

	for (uint32_t port = 0; port < net_graph_ports(&ways->graph, node); port++) {
		const struct net_peer *peer = net_graph_peer(&ways->graph, node, port);
		uint32_t next = net_ways_step(ways, *state, peer);

		if (next != NET_NOBODY && walk->distance[next] + 1 == walk->distance[*state])
			branches[count++] = (struct net_branch){port, peer->link, next};
	}
	count = net_choice_make(&walk->choice, *state, branches, count);
	*state = branches[count].next;
	return branches[count].port;
}

static uint32_t get(const void *state, uint32_t source, uint32_t destination, uint16_t *ports)
{
	const struct net_ways *ways = state;
	struct walk walk = {.ways = ways, .distance = net_ways_to(ways, destination)};
	const struct net_peer *first = net_graph_peer(&ways->graph, source, 0);
	uint32_t at = net_ways_start(ways, source);
	uint32_t count = 0;

	if (at == NET_NOBODY || !walk.distance)
		return first->node == destination ? 0 : NET_NO_ROUTE;
	if (walk.distance[at] == NET_FAR)
		return NET_NO_ROUTE;
	net_choice_start(&walk.choice, &ways->ties, source, destination, at / ways->phases);
	while (walk.distance[at] > 0)
		ports[count++] = (uint16_t)take_port(&walk, &at);
	ports[count++] = (uint16_t)net_graph_peer(&ways->graph, destination, 0)->port;
	return count;
}

static void clear(void *state)
{
	net_ways_close(state);
	free(state);
}

static const struct net_routes_form form = {get, clear};

// The longest route; TR_ERROR where two hosts are not joined.
static enum tr_status measure(const struct net_ways *ways, uint32_t *longest, struct tr_error *err)
{
	*longest = 1;
	for (uint32_t source = 0; source < ways->graph.hosts; source++) {
		uint32_t start = net_ways_start(ways, source);

		for (uint32_t to = 0; to < ways->graph.hosts; to++) {
			const uint16_t *distance = net_ways_to(ways, to);
			bool direct = net_graph_peer(&ways->graph, source, 0)->node == to;

			if (to == source || direct)
				continue;
			if (start == NET_NOBODY || !distance || distance[start] == NET_FAR)
				return tr_fail(err, "no route from host %u to host %u", source, to);
			if (distance[start] + 1u > *longest)
				*longest = distance[start] + 1u;
		}
	}
	return TR_OK;
}

enum tr_status net_ways_routes(struct net_ways *ways, struct net_routes *routes, struct tr_error *err)
{
	struct net_ways *state = malloc(sizeof(*state));

	*routes = (struct net_routes){0};
	if (!state) {
		net_ways_close(ways);
		return tr_no_memory(err, "routes");
	}
	*state = *ways;
	*routes = (struct net_routes){.hosts = ways->graph.hosts, .form = &form, .state = state};
	if (measure(state, &routes->longest, err) != TR_OK)
		return TR_ERROR;
	return state->ties.tie == NET_TIE_LOAD ? net_ways_spread(routes, state, err) : TR_OK;
}
