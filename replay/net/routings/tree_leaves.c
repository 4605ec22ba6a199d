// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routings/tree_leaves.h"

#include <stdlib.h>
#include <string.h>

// The work on a tree: its switches level by level, and parts that have been joined so far, each
// known by one switch of it, its root. A part's leaves are a list, and parts that join append one
// list to the other, so that the leaves of any part stay side by side.
struct tree_parts {
	struct net_tree *tree;
	const struct net_graph *graph;
	uint32_t *order;  // the switches that are joined to leaves, lowest level first
	uint32_t met;	  // how many
	uint32_t *above;  // towards the root of its part; of the root itself
	uint32_t *leaves; // of a root: how many its part has
	uint32_t *head;	  // of a root: its part's first leaf
	uint32_t *tail;
	uint32_t *next;	 // of a leaf: the one behind it
	uint32_t *stamp; // of a root: the last switch that found it below
};

static uint32_t tree_ports(const struct net_graph *graph, uint32_t at)
{
	return net_graph_ports(graph, at + graph->hosts);
}

// Levels by breadth-first search from all leaves, in the order of their hosts.
static void tree_find_levels(struct tree_parts *parts)
{
	const struct net_graph *graph = parts->graph;
	uint32_t *level = parts->tree->level;
	uint32_t tail = 0;

	for (uint32_t host = 0; host < graph->hosts; host++) {
		const uint32_t node = net_graph_peer(graph, host, 0)->node;

		if (!net_graph_is_switch(graph, node) || level[node - graph->hosts] == 0)
			continue;
		level[node - graph->hosts] = 0;
		parts->order[tail++] = node - graph->hosts;
	}
	for (uint32_t head = 0; head < tail; head++) {
		const uint32_t at = parts->order[head];

		parts->tree->top = level[at];
		for (uint32_t port = 0; port < tree_ports(graph, at); port++) {
			const uint32_t to = net_tree_peer(graph, at, port);

			if (to == NET_NOBODY || level[to] != NET_NOBODY)
				continue;
			level[to] = level[at] + 1;
			parts->order[tail++] = to;
		}
	}
	parts->met = tail;
}

// Whether no cable joins switches of one level; the first that one does are noted.
static bool tree_has_levels(struct net_tree *tree, const struct net_graph *graph)
{
	for (uint32_t at = 0; at < net_graph_switches(graph); at++)
		for (uint32_t port = 0; port < tree_ports(graph, at); port++) {
			const uint32_t to = net_tree_peer(graph, at, port);

			if (to == NET_NOBODY || tree->level[to] != tree->level[at])
				continue;
			tree->equals[0] = at;
			tree->equals[1] = to;
			return false;
		}
	return true;
}

static uint32_t tree_part(const struct tree_parts *parts, uint32_t at)
{
	while (parts->above[at] != at) {
		parts->above[at] = parts->above[parts->above[at]];
		at = parts->above[at];
	}
	return at;
}

static void tree_join(struct tree_parts *parts, uint32_t one, uint32_t other)
{
	one = tree_part(parts, one);
	other = tree_part(parts, other);
	if (one == other)
		return;
	if (parts->leaves[one] < parts->leaves[other]) {
		const uint32_t kept = one;

		one = other;
		other = kept;
	}
	parts->above[other] = one;
	if (parts->leaves[other] == 0)
		return;
	parts->next[parts->tail[one]] = parts->head[other];
	parts->tail[one] = parts->tail[other];
	parts->leaves[one] += parts->leaves[other];
}

static bool tree_is_down(const struct net_tree *tree, uint32_t at, uint32_t to)
{
	return to != NET_NOBODY && tree->level[to] < tree->level[at];
}

// The leaves of the parts that a switch, not yet joined, has below it.
static uint32_t tree_count_below(struct tree_parts *parts, uint32_t at)
{
	uint32_t count = 0;

	for (uint32_t port = 0; port < tree_ports(parts->graph, at); port++) {
		const uint32_t to = net_tree_peer(parts->graph, at, port);
		uint32_t part;

		if (!tree_is_down(parts->tree, at, to))
			continue;
		part = tree_part(parts, to);
		count += parts->stamp[part] != at ? parts->leaves[part] : 0;
		parts->stamp[part] = at;
	}
	return count;
}

// Joins the parts below the switches of a level, order[from .. to - 1]. Whether each of these has
// all leaves of its part below.
static bool tree_join_level(struct tree_parts *parts, uint32_t from, uint32_t to)
{
	struct net_tree *tree = parts->tree;

	for (uint32_t i = from; i < to; i++)
		tree->end[parts->order[i]] = tree_count_below(parts, parts->order[i]);
	for (uint32_t i = from; i < to; i++) {
		const uint32_t at = parts->order[i];

		for (uint32_t port = 0; port < tree_ports(parts->graph, at); port++)
			if (tree_is_down(tree, at, net_tree_peer(parts->graph, at, port)))
				tree_join(parts, net_tree_peer(parts->graph, at, port), at);
	}
	for (uint32_t i = from; i < to; i++) {
		const uint32_t part = tree_part(parts, parts->order[i]);

		if (parts->leaves[part] != tree->end[parts->order[i]])
			return false;
		tree->first[parts->order[i]] = parts->head[part];
	}
	return true;
}

// Each switch's first leaf and how many it has; whether these are those of its part everywhere.
static bool tree_join_all(struct tree_parts *parts)
{
	struct net_tree *tree = parts->tree;
	uint32_t from = 0;

	for (uint32_t i = 0; i < net_graph_switches(parts->graph); i++)
		parts->above[i] = i;
	for (; from < parts->met && tree->level[parts->order[from]] == 0; from++) {
		const uint32_t leaf = parts->order[from];

		parts->head[leaf] = parts->tail[leaf] = tree->first[leaf] = leaf;
		parts->leaves[leaf] = tree->end[leaf] = 1;
	}
	while (from < parts->met) {
		uint32_t to = from;

		while (to < parts->met &&
		       tree->level[parts->order[to]] == tree->level[parts->order[from]])
			to++;
		if (!tree_join_level(parts, from, to))
			return false;
		from = to;
	}
	return true;
}

// The first switch above one; NET_NOBODY at the top.
static uint32_t tree_first_above(const struct net_tree *tree, const struct net_graph *graph,
				 uint32_t at)
{
	for (uint32_t port = 0; port < tree_ports(graph, at); port++) {
		const uint32_t to = net_tree_peer(graph, at, port);

		if (to != NET_NOBODY && tree->level[to] > tree->level[at])
			return to;
	}
	return NET_NOBODY;
}

// Whether all switches above one have as many levels above them.
static bool tree_is_even(struct tree_parts *parts)
{
	const struct net_tree *tree = parts->tree;
	uint32_t *levels = parts->leaves; // those above, of each switch; no longer needed otherwise

	for (uint32_t i = parts->met; i > 0; i--) {
		const uint32_t at = parts->order[i - 1];
		const uint32_t above = tree_first_above(tree, parts->graph, at);

		levels[at] = above == NET_NOBODY ? 0 : levels[above] + 1;
		for (uint32_t port = 0; port < tree_ports(parts->graph, at); port++) {
			const uint32_t to = net_tree_peer(parts->graph, at, port);

			if (to != NET_NOBODY && tree->level[to] > tree->level[at] &&
			    levels[to] + 1 != levels[at])
				return false;
		}
	}
	return true;
}

uint32_t net_tree_root(const struct net_tree *tree, const struct net_graph *graph, uint32_t leaf)
{
	uint32_t above = tree_first_above(tree, graph, leaf);

	while (above != NET_NOBODY) {
		leaf = above;
		above = tree_first_above(tree, graph, leaf);
	}
	return leaf;
}

// Turns first leaves and their counts into intervals of leaves in the order of the lists.
static void tree_number_leaves(struct tree_parts *parts)
{
	struct net_tree *tree = parts->tree;
	uint32_t *place = parts->stamp;
	uint32_t count = 0;

	for (uint32_t i = 0; i < parts->met; i++) {
		uint32_t leaf = parts->order[i];

		if (tree->level[leaf] > 0 || tree_part(parts, leaf) != leaf)
			continue;
		for (leaf = parts->head[leaf]; leaf != NET_NOBODY; leaf = parts->next[leaf])
			place[leaf] = count++;
	}
	for (uint32_t i = 0; i < parts->met; i++) {
		const uint32_t at = parts->order[i];

		tree->first[at] = place[tree->first[at]];
		tree->end[at] += tree->first[at];
	}
}

// From the leaves up to the first switch that has as many leaves below as the highest.
static void tree_measure(struct tree_parts *parts)
{
	struct net_tree *tree = parts->tree;

	tree->longest = 1;
	for (uint32_t i = 0; i < parts->met && tree->level[parts->order[i]] == 0; i++) {
		const uint32_t leaf = parts->order[i];
		uint32_t at = leaf;

		for (uint32_t to = at; to != NET_NOBODY;
		     to = tree_first_above(tree, parts->graph, to))
			if (tree->end[to] - tree->first[to] > tree->end[at] - tree->first[at])
				at = to;
		if (2 * tree->level[at] + 1 > tree->longest)
			tree->longest = 2 * tree->level[at] + 1;
	}
}

static bool tree_parts_open(struct tree_parts *parts, size_t switches)
{
	const size_t room = (switches + 1) * sizeof(uint32_t);
	uint32_t **const arrays[] = {&parts->tree->first, &parts->tree->end, &parts->order,
				     &parts->above,	  &parts->leaves,    &parts->head,
				     &parts->tail,	  &parts->next,	     &parts->stamp};

	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++) {
		*arrays[i] = calloc(1, room);
		if (!*arrays[i])
			return false;
	}
	parts->tree->level = malloc(room);
	if (!parts->tree->level)
		return false;
	memset(parts->tree->level, 0xff, room);
	memset(parts->next, 0xff, room);
	memset(parts->stamp, 0xff, room);
	return true;
}

static void tree_parts_close(struct tree_parts *parts)
{
	free(parts->order);
	free(parts->above);
	free(parts->leaves);
	free(parts->head);
	free(parts->tail);
	free(parts->next);
	free(parts->stamp);
}

enum tr_status net_tree_open(struct net_tree *tree, const struct net_graph *graph,
			     struct tr_error *err)
{
	struct tree_parts parts = {.tree = tree, .graph = graph};
	bool opened;

	*tree = (struct net_tree){.equals = {NET_NOBODY, NET_NOBODY}};
	opened = tree_parts_open(&parts, net_graph_switches(graph));
	if (opened) {
		tree_find_levels(&parts);
		tree->regular = tree_has_levels(tree, graph) && tree_join_all(&parts);
	}
	if (tree->regular) {
		tree_number_leaves(&parts);
		tree->regular = tree_is_even(&parts);
	}
	if (tree->regular)
		tree_measure(&parts);
	tree_parts_close(&parts);
	return opened ? TR_OK : tr_no_memory(err, "the levels of the tree");
}

void net_tree_close(struct net_tree *tree)
{
	free(tree->level);
	free(tree->first);
	free(tree->end);
	*tree = (struct net_tree){0};
}
