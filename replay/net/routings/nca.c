// SPDX-License-Identifier: GPL-3.0-or-later
// Fat trees: a worm climbs to a nearest common ancestor of its two leaves and descends from there.
// If all switches above one reach the same leaves, as in k-ary n-trees and folded Clos networks,
// all ways up are equivalent and routes are computed from the leaves below each switch
// (net/routings/tree_leaves); otherwise from the distances of shortest ways that climb first
// (net/routings/ways).
#include "net/routings/nca.h"

#include <stdlib.h>

#include "net/routings/tree_leaves.h"
#include "net/routings/ways.h"

struct nca_state {
	struct net_graph graph;
	struct net_ties ties;
	struct net_tree tree;
};

// Switch of a host, from 0; NET_NOBODY if it is not on a switch.
static uint32_t home_of(const struct nca_state *nca, uint32_t host)
{
	const uint32_t node = net_graph_peer(&nca->graph, host, 0)->node;

	return net_graph_is_switch(&nca->graph, node) ? node - nca->graph.hosts : NET_NOBODY;
}

// The next ports, down if the leaf is below, otherwise up.
static uint32_t nca_list(const struct nca_state *nca, uint32_t at, uint32_t leaf,
			 struct net_branch branches[NET_PORTS_MAX])
{
	const struct net_tree *tree = &nca->tree;
	const uint32_t level = tree->level[at];
	const bool down = net_tree_has_below(tree, at, leaf);
	const uint32_t ports = net_graph_ports(&nca->graph, at + nca->graph.hosts);
	uint32_t count = 0;

	for (uint32_t port = 0; port < ports; port++) {
		const uint32_t next = net_tree_peer(&nca->graph, at, port);

		if (next == NET_NOBODY || (tree->level[next] < level) != down ||
		    (down && !net_tree_has_below(tree, next, leaf)))
			continue;
		branches[count++] = (struct net_branch){
			port, net_graph_peer(&nca->graph, at + nca->graph.hosts, port)->link, next,
			0};
	}
	return count;
}

// Takes one of them; returns it, or NET_NOBODY, and puts the next switch into *at.
static uint32_t nca_take_port(const struct nca_state *nca, struct net_choice *choice, uint32_t *at,
			      uint32_t leaf)
{
	struct net_branch branches[NET_PORTS_MAX];
	uint32_t count = nca_list(nca, *at, leaf, branches);

	if (count == 0)
		return NET_NOBODY;
	count = net_choice_make(choice, *at, branches, count);
	*at = branches[count].next;
	return branches[count].port;
}

static uint32_t nca_get_way(const void *state, uint32_t source, uint32_t destination, uint32_t way,
			    uint16_t *ports)
{
	const struct nca_state *nca = state;
	uint32_t at = home_of(nca, source);
	uint32_t goal = home_of(nca, destination);
	struct net_choice choice;
	uint32_t count = 0;

	if (at == NET_NOBODY || goal == NET_NOBODY)
		return net_graph_peer(&nca->graph, source, 0)->node == destination ? 0
										   : NET_NO_ROUTE;
	net_choice_start(&choice, &nca->ties, source, destination, at, way);
	while (at != goal) {
		uint32_t port = nca_take_port(nca, &choice, &at, goal);

		if (port == NET_NOBODY)
			return NET_NO_ROUTE;
		ports[count++] = (uint16_t)port;
	}
	ports[count++] = (uint16_t)net_graph_peer(&nca->graph, destination, 0)->port;
	return count;
}

// All hosts are below one switch, so that any two on switches are joined.
static uint32_t nca_start(const void *state, uint32_t source, uint32_t destination, uint32_t n)
{
	const uint32_t home = home_of(state, source);

	(void)n;
	return home != NET_NOBODY && home_of(state, destination) != NET_NOBODY ? home
									       : NET_NO_ROUTE;
}

static uint32_t nca_branches(const void *state, uint32_t place, uint32_t destination,
			     struct net_branch branches[NET_PORTS_MAX])
{
	const uint32_t goal = home_of(state, destination);

	return place == goal ? 0 : nca_list(state, place, goal, branches);
}

static void nca_clear(void *state)
{
	struct nca_state *nca = state;

	net_graph_close(&nca->graph);
	net_ties_close(&nca->ties);
	net_tree_close(&nca->tree);
	free(nca);
}

static const struct net_routes_ways spreading = {.get = nca_get_way,
						 .start = nca_start,
						 .branches = nca_branches};
static const struct net_routes_form form = {.clear = nca_clear, .ways = &spreading};

// All hosts must be below one switch, but for two that are joined by a cable.
static enum tr_status nca_check_joined(const struct nca_state *nca, struct tr_error *err)
{
	const uint32_t home = home_of(nca, 0);
	const uint32_t root = home != NET_NOBODY ? net_tree_root(&nca->tree, &nca->graph, home)
						 : NET_NOBODY;

	for (uint32_t host = 1; host < nca->graph.hosts; host++) {
		const uint32_t other = home_of(nca, host);

		if (home == NET_NOBODY
			    ? net_graph_peer(&nca->graph, 0, 0)->node != host
			    : other == NET_NOBODY || !net_tree_has_below(&nca->tree, root, other))
			return tr_fail(err, "no route from host 0 to host %u", host);
	}
	return TR_OK;
}

// Levels and leaves in a state that *routes owns, whatever is returned.
static enum tr_status nca_open(struct net_routes *routes, const struct net_topology *topology,
			       const struct net_tying *tying, struct tr_error *err)
{
	struct nca_state *nca = calloc(1, sizeof(*nca));

	if (!nca)
		return tr_no_memory(err, "the levels of the tree");
	*routes = (struct net_routes){.hosts = topology->hosts,
				      .form = &form,
				      .state = nca,
				      .by_switch = net_tie_by_switch(tying->tie),
				      .spread = net_tie_spread(tying->tie)};
	if (net_graph_open(&nca->graph, topology, err) != TR_OK ||
	    net_ties_open(&nca->ties, &nca->graph, tying, err) != TR_OK ||
	    net_tree_open(&nca->tree, &nca->graph, err) != TR_OK)
		return TR_ERROR;
	routes->longest = nca->tree.longest;
	routes->acyclic = nca->tree.equals[0] == NET_NOBODY;
	return TR_OK;
}

enum tr_status net_nca_regular(struct net_routes *routes, const struct net_topology *topology,
			       const struct net_tying *tying, struct tr_error *err)
{
	const struct nca_state *nca;

	*routes = (struct net_routes){0};
	if (tying->tie == NET_TIE_LOAD)
		return TR_OK;
	if (nca_open(routes, topology, tying, err) != TR_OK)
		return TR_ERROR;
	nca = routes->state;
	if (nca->tree.regular)
		return nca_check_joined(nca, err);
	net_routes_clear(routes);
	return TR_OK;
}

// Routes over shortest ways that climb first, for a tree whose ways up are not equivalent; the tree
// gives its levels away.
static enum tr_status nca_make_irregular(struct net_routes *routes,
					 const struct net_topology *topology,
					 const struct net_tying *tying, struct tr_error *err)
{
	struct net_tree *tree = &((struct nca_state *)routes->state)->tree;
	uint32_t *rank = tree->level;
	struct net_ways ways;

	for (uint32_t at = 0; at < topology->switches; at++)
		rank[at] = rank[at] == NET_NOBODY ? tree->top + 1 : tree->top - rank[at];
	tree->level = NULL;
	net_routes_clear(routes);
	if (net_ways_open(&ways, topology, rank, tying, err) == TR_OK)
		return net_ways_routes(&ways, routes, err);
	net_ways_close(&ways);
	return TR_ERROR;
}

static enum tr_status nca_make(struct net_routes *routes, const struct net_topology *topology,
			       const void *params, struct tr_error *err)
{
	const struct net_tying *tying = params;
	const struct nca_state *nca;

	if (nca_open(routes, topology, tying, err) != TR_OK)
		return TR_ERROR;
	nca = routes->state;
	if (nca->tree.equals[0] != NET_NOBODY && nca->tree.equals[0] == nca->tree.equals[1])
		return tr_fail(err, "a cable joins switch %u to itself: not a tree",
			       nca->tree.equals[0]);
	if (nca->tree.equals[0] != NET_NOBODY)
		return tr_fail(err,
			       "switches %u and %u are on the same level and joined: not a tree",
			       nca->tree.equals[0], nca->tree.equals[1]);
	if (tying->tie == NET_TIE_LOAD || !nca->tree.regular)
		return nca_make_irregular(routes, topology, tying, err);
	return nca_check_joined(nca, err);
}

struct nca_params {
	struct net_tying tying;
};

static const struct key keys[] = {NET_TYING_KEYS(struct nca_params), {.type = KEY_END}};
static const struct nca_params usual = {{NET_TIE_DEFAULT, 0}};

const struct net_routing net_routing_nca = {
	.name = "nca",
	.summary = "fat trees: up to a nearest common ancestor, then down",
	.keys = keys,
	.params_bytes = sizeof(usual),
	.usual = &usual,
	.ties = true,
	.make = nca_make,
};
