// SPDX-License-Identifier: GPL-3.0-or-later
// Fat trees: a worm climbs to a nearest common ancestor of its two leaves and descends from there.
// A switch's level is its distance from the nearest switch with hosts. If all switches above one
// reach the same leaves, as in k-ary n-trees and folded Clos networks, all ways up are equivalent
// and routes are computed from the sets of leaves below each switch; otherwise from the distances
// of shortest ways that climb first (net/routings/ways).
#include <stdlib.h>
#include <string.h>

#include "net/routings/ways.h"

#define SET_WORDS_MAX ((uint64_t)1 << 28)

struct nca_tree {
	struct net_graph graph;
	struct net_ties ties;
	uint32_t *level;  // of each switch
	uint32_t *leaf;	  // of each switch: its bit in a set; NET_NOBODY for none
	uint32_t top;	  // highest level
	size_t set_words; // of one set of leaves
	uint64_t *below;  // of each switch: the leaves below it, itself included
};

static uint32_t peer_switch(const struct nca_tree *tree, uint32_t at, uint32_t port)
{
	uint32_t node = net_graph_peer(&tree->graph, at + tree->graph.hosts, port)->node;

	return net_graph_is_switch(&tree->graph, node) ? node - tree->graph.hosts : NET_NOBODY;
}

static uint32_t nca_ports_of(const struct nca_tree *tree, uint32_t at)
{
	return net_graph_ports(&tree->graph, at + tree->graph.hosts);
}

// Switch of a host, from 0; NET_NOBODY if it is not on a switch.
static uint32_t home_of(const struct nca_tree *tree, uint32_t host)
{
	uint32_t node = net_graph_peer(&tree->graph, host, 0)->node;

	return net_graph_is_switch(&tree->graph, node) ? node - tree->graph.hosts : NET_NOBODY;
}

static bool has_below(const struct nca_tree *tree, uint32_t at, uint32_t leaf)
{
	return (tree->below[at * tree->set_words + leaf / 64] >> leaf % 64 & 1u) != 0;
}

// Levels by breadth-first search from all leaves; queue then holds the switches in this order.
// Returns how many were reached.
static uint32_t nca_find_levels(struct nca_tree *tree, uint32_t *queue)
{
	uint32_t head = 0;
	uint32_t tail = 0;

	for (uint32_t host = 0; host < tree->graph.hosts; host++) {
		uint32_t at = home_of(tree, host);

		if (at == NET_NOBODY || tree->leaf[at] != NET_NOBODY)
			continue;
		tree->level[at] = 0;
		tree->leaf[at] = tail;
		queue[tail++] = at;
	}
	tree->set_words = ((size_t)tail + 63) / 64;
	while (head < tail) {
		uint32_t at = queue[head++];

		tree->top = tree->level[at];
		for (uint32_t port = 0; port < nca_ports_of(tree, at); port++) {
			uint32_t next = peer_switch(tree, at, port);

			if (next == NET_NOBODY || tree->level[next] != NET_NOBODY)
				continue;
			tree->level[next] = tree->level[at] + 1;
			queue[tail++] = next;
		}
	}
	return tail;
}

static enum tr_status check_levels(const struct nca_tree *tree, struct tr_error *err)
{
	for (uint32_t at = 0; at < net_graph_switches(&tree->graph); at++)
		for (uint32_t port = 0; port < nca_ports_of(tree, at); port++) {
			uint32_t next = peer_switch(tree, at, port);

			if (next != NET_NOBODY && tree->level[next] == tree->level[at])
				return tr_fail(err,
					       "switches %u and %u are on the same level and "
					       "joined: not a tree",
					       at, next);
		}
	return TR_OK;
}

// The sets of leaves, from the lowest level up.
static enum tr_status find_leaves(struct nca_tree *tree, const uint32_t *order, uint32_t met,
				  struct tr_error *err)
{
	const size_t switches = net_graph_switches(&tree->graph);

	if ((uint64_t)tree->set_words * switches > SET_WORDS_MAX)
		return tr_fail(err, "the tree is too large");
	tree->below = calloc(tree->set_words * switches + 1, sizeof(*tree->below));
	if (!tree->below)
		return tr_no_memory(err, "the leaves below each switch");
	for (uint32_t i = 0; i < met; i++) {
		uint32_t at = order[i];
		uint64_t *set = tree->below + at * tree->set_words;

		if (tree->leaf[at] != NET_NOBODY)
			set[tree->leaf[at] / 64] |= UINT64_C(1) << tree->leaf[at] % 64;
		for (uint32_t port = 0; port < nca_ports_of(tree, at); port++) {
			uint32_t next = peer_switch(tree, at, port);

			if (next == NET_NOBODY || tree->level[next] > tree->level[at])
				continue;
			for (size_t word = 0; word < tree->set_words; word++)
				set[word] |= tree->below[next * tree->set_words + word];
		}
	}
	return TR_OK;
}

// The first switch above one; NET_NOBODY at the top.
static uint32_t first_above(const struct nca_tree *tree, uint32_t at)
{
	for (uint32_t port = 0; port < nca_ports_of(tree, at); port++) {
		uint32_t next = peer_switch(tree, at, port);

		if (next != NET_NOBODY && tree->level[next] > tree->level[at])
			return next;
	}
	return NET_NOBODY;
}

// Whether two switches, and those above them in turn, reach the same leaves.
static bool are_alike(const struct nca_tree *tree, uint32_t a, uint32_t b)
{
	while (a != b && a != NET_NOBODY && b != NET_NOBODY) {
		if (memcmp(tree->below + a * tree->set_words, tree->below + b * tree->set_words,
			   tree->set_words * sizeof(*tree->below)) != 0)
			return false;
		a = first_above(tree, a);
		b = first_above(tree, b);
	}
	return a == b;
}

// Whether all ways to climb are equivalent.
static bool is_regular(const struct nca_tree *tree)
{
	for (uint32_t at = 0; at < net_graph_switches(&tree->graph); at++) {
		uint32_t above = first_above(tree, at);

		for (uint32_t port = 0; port < nca_ports_of(tree, at); port++) {
			uint32_t next = peer_switch(tree, at, port);

			if (next != NET_NOBODY && tree->level[next] > tree->level[at] &&
			    !are_alike(tree, next, above))
				return false;
		}
	}
	return true;
}

// Takes the next port, down if the leaf is below, otherwise up; returns it, or NET_NOBODY, and puts
// the next switch into *at.
static uint32_t nca_take_port(const struct nca_tree *tree, struct net_choice *choice, uint32_t *at,
			      uint32_t leaf)
{
	const uint32_t level = tree->level[*at];
	const bool down = has_below(tree, *at, leaf);
	struct net_branch branches[NET_PORTS_MAX];
	uint32_t count = 0;

	for (uint32_t port = 0; port < nca_ports_of(tree, *at); port++) {
		uint32_t next = peer_switch(tree, *at, port);

		if (next == NET_NOBODY || (tree->level[next] < level) != down ||
		    (down && !has_below(tree, next, leaf)))
			continue;
		branches[count++] = (struct net_branch){
			port, net_graph_peer(&tree->graph, *at + tree->graph.hosts, port)->link,
			next};
	}
	if (count == 0)
		return NET_NOBODY;
	count = net_choice_make(choice, *at, branches, count);
	*at = branches[count].next;
	return branches[count].port;
}

static uint32_t nca_get(const void *state, uint32_t source, uint32_t destination, uint16_t *ports)
{
	const struct nca_tree *tree = state;
	uint32_t at = home_of(tree, source);
	uint32_t goal = home_of(tree, destination);
	struct net_choice choice;
	uint32_t count = 0;

	if (at == NET_NOBODY || goal == NET_NOBODY)
		return net_graph_peer(&tree->graph, source, 0)->node == destination ? 0
										    : NET_NO_ROUTE;
	net_choice_start(&choice, &tree->ties, source, destination, at);
	while (at != goal) {
		uint32_t port = nca_take_port(tree, &choice, &at, tree->leaf[goal]);

		if (port == NET_NOBODY)
			return NET_NO_ROUTE;
		ports[count++] = (uint16_t)port;
	}
	ports[count++] = (uint16_t)net_graph_peer(&tree->graph, destination, 0)->port;
	return count;
}

static void nca_clear(void *state)
{
	struct nca_tree *tree = state;

	net_graph_close(&tree->graph);
	net_ties_close(&tree->ties);
	free(tree->level);
	free(tree->leaf);
	free(tree->below);
	free(tree);
}

static const struct net_routes_form form = {nca_get, nca_clear};

static enum tr_status nca_build(struct nca_tree *tree, const struct net_topology *topology,
				const struct net_tying *tying, struct tr_error *err)
{
	const size_t room = ((size_t)topology->switches + 1) * sizeof(uint32_t);
	uint32_t *queue = malloc(room);
	enum tr_status status = TR_ERROR;
	uint32_t met;

	tree->level = malloc(room);
	tree->leaf = malloc(room);
	if (!queue || !tree->level || !tree->leaf) {
		tr_no_memory(err, "the levels of the tree");
	} else if (net_graph_open(&tree->graph, topology, err) == TR_OK &&
		   net_ties_open(&tree->ties, &tree->graph, tying, err) == TR_OK) {
		memset(tree->level, 0xff, room);
		memset(tree->leaf, 0xff, room);
		met = nca_find_levels(tree, queue);
		status = check_levels(tree, err);
		if (status == TR_OK)
			status = find_leaves(tree, queue, met, err);
	}
	free(queue);
	return status;
}

// All leaves must have a common ancestor.
static enum tr_status nca_check_joined(const struct net_routes *routes, struct tr_error *err)
{
	const struct nca_tree *tree = routes->state;
	uint16_t *ports = calloc(routes->longest, sizeof(*ports));

	if (!ports)
		return tr_no_memory(err, "routes");
	for (uint32_t host = 1; host < tree->graph.hosts; host++)
		if (net_routes_get(routes, 0, host, ports) == NET_NO_ROUTE) {
			free(ports);
			return tr_fail(err, "no route from host 0 to host %u", host);
		}
	free(ports);
	return TR_OK;
}

// Routes over shortest ways that climb first, for a tree whose ways up are not equivalent.
static enum tr_status nca_make_irregular(struct net_routes *routes,
					 const struct net_topology *topology,
					 const struct net_tying *tying, struct tr_error *err)
{
	struct nca_tree *tree = routes->state;
	struct net_ways ways;
	uint32_t *rank = tree->level;

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
	struct nca_tree *tree = calloc(1, sizeof(*tree));

	if (!tree)
		return tr_no_memory(err, "the levels of the tree");
	*routes = (struct net_routes){.hosts = topology->hosts, .form = &form, .state = tree};
	if (nca_build(tree, topology, tying, err) != TR_OK)
		return TR_ERROR;
	routes->longest = 2 * tree->top + 1;
	if (tying->tie == NET_TIE_LOAD || !is_regular(tree))
		return nca_make_irregular(routes, topology, tying, err);
	return nca_check_joined(routes, err);
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
