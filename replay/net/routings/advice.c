// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routings/routing.h"

#include <stdlib.h>

#include "net/routes/route_path.h"
#include "net/topology/adapters.h"
#include "net/topology/graph.h"
#include "value/grow.h"

#define PAIRS_MAX UINT64_C(65536)
#define HOSTS_MAX 4096u
#define LOAD_HOSTS_MAX 128u // with more hosts the slow NET_TIE_LOAD is not tried
#define FAR_FEWER .5
#define CLEARLY_MORE 1.05 // so that the first of nearly equal ties is named

static const enum net_tie tries[NET_TIES] = {NET_TIE_DESTINATION, NET_TIE_SOURCE, NET_TIE_HASH,
					     NET_TIE_LOWEST, NET_TIE_LOAD};

// Scatters the pairs independently of the hosts' order (the finalizer of MurmurHash3).
static uint64_t scatter(uint64_t pair)
{
	pair = (pair ^ pair >> 33) * UINT64_C(0xff51afd7ed558ccd);
	pair = (pair ^ pair >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return pair ^ pair >> 33;
}

// Pairs of hosts, of a network with many only some.
struct pairs {
	uint64_t *items; // source * hosts + destination
	uint32_t count;
	uint32_t room;
};

// False if out of memory.
static bool choose_pairs(struct pairs *pairs, uint32_t hosts)
{
	const uint64_t all = (uint64_t)hosts * hosts;

	for (uint64_t pair = 0; pair < all; pair++) {
		if (pair / hosts == pair % hosts ||
		    (all > PAIRS_MAX && scatter(pair) % all >= PAIRS_MAX))
			continue;
		if (!GROW(pairs->items, pairs->room, pairs->count))
			return false;
		pairs->items[pairs->count++] = pair;
	}
	return true;
}

// State of a count of routes.
struct count {
	const struct net_graph *graph;
	const struct net_routes *routes;
	struct net_path path;
	uint16_t *ports;
	uint32_t *loads; // of each link
	uint64_t pairs;
};

static void advice_add_pair(struct count *count, uint32_t source, uint32_t destination)
{
	uint32_t ports = net_routes_get(count->routes, source, destination, count->ports);

	if (ports == NET_NO_ROUTE ||
	    !net_path_follow(&count->path, count->graph, source, destination, count->ports, ports))
		return;
	count->pairs++;
	for (uint32_t i = 0; i < count->path.count; i++)
		count->loads[count->path.links[i]]++;
}

static double full_at(const struct count *count)
{
	uint32_t most = 0;

	for (uint32_t link = 0; link < count->graph->links; link++)
		if (count->loads[link] > most)
			most = count->loads[link];
	return most > 0 ? (double)count->pairs / count->graph->hosts / most : 0;
}

// 0 where memory runs out.
static double saturation(const struct net_graph *graph, const struct net_routes *routes,
			 const struct pairs *pairs)
{
	struct count count = {.graph = graph, .routes = routes};
	double full = 0;

	count.ports = calloc((size_t)routes->longest + 1, sizeof(*count.ports));
	count.path.links = calloc((size_t)routes->longest + 2, sizeof(*count.path.links));
	count.loads = calloc((size_t)graph->links + 1, sizeof(*count.loads));
	if (count.ports && count.path.links && count.loads) {
		for (uint32_t i = 0; i < pairs->count; i++)
			advice_add_pair(&count, (uint32_t)(pairs->items[i] / graph->hosts),
					(uint32_t)(pairs->items[i] % graph->hosts));
		full = full_at(&count);
	}
	free(count.ports);
	free(count.path.links);
	free(count.loads);
	return full;
}

static void try_tie(struct net_tie_advice *advice, const struct net_topology *topology,
		    const struct net_graph *graph, const struct pairs *pairs, const char *text,
		    enum net_tie tie)
{
	struct net_routes routes;
	double full;

	if (net_routing_make_tied(&routes, topology, text, tie, NULL) != TR_OK)
		return;
	full = saturation(graph, &routes, pairs);
	net_routes_clear(&routes);
	if (full <= CLEARLY_MORE * advice->best)
		return;
	advice->best = full;
	advice->best_tie = tie;
}

bool net_tie_advice_find(struct net_tie_advice *advice, const struct net_topology *topology,
			 const char *text, const struct net_routes *routes)
{
	struct net_graph graph;
	struct pairs pairs = {NULL};
	enum net_tie own;

	*advice = (struct net_tie_advice){0};
	if (topology->hosts > HOSTS_MAX || net_has_adapters(topology) || routes->choices ||
	    routes->spread || !net_routing_has_tie(text, topology, &own) ||
	    net_graph_open(&graph, topology, NULL) != TR_OK)
		return false;
	if (choose_pairs(&pairs, graph.hosts))
		advice->own = saturation(&graph, routes, &pairs);
	// No routes carry more than the hosts' links do.
	for (int i = 0; i < NET_TIES && advice->own > 0 && advice->own < FAR_FEWER; i++)
		if (tries[i] != own &&
		    (tries[i] != NET_TIE_LOAD || topology->hosts <= LOAD_HOSTS_MAX))
			try_tie(advice, topology, &graph, &pairs, text, tries[i]);
	free(pairs.items);
	net_graph_close(&graph);
	return advice->own < FAR_FEWER * advice->best;
}
