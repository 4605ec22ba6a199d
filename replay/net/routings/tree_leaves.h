// SPDX-License-Identifier: GPL-3.0-or-later
// The levels of a tree of switches and the leaves below each of them. A switch's level is its
// distance from the nearest switch with hosts, which are the leaves, on level 0. Time and memory
// grow with switches and cables.
//
// A tree is regular if all switches above one have the same leaves below them, level by level, and
// as many levels above. Then the switches of a level that have a leaf in common have all leaves in
// common, and the leaves can be numbered so that those below each switch are an interval: the
// switches of levels up to L fall into parts that no cable joins, the parts for L into those for L
// - 1, and in a regular tree each switch of level L has all leaves of its part below.
#ifndef NET_ROUTINGS_TREE_LEAVES_H
#define NET_ROUTINGS_TREE_LEAVES_H

#include <stdbool.h>
#include <stdint.h>

#include "net/topology/graph.h"
#include "value/status.h"

// Zero is a valid empty one. Arrays are by switch (from 0).
struct net_tree {
	uint32_t *level;    // NET_NOBODY for switches that are joined to no leaf
	uint32_t top;	    // highest level
	uint32_t equals[2]; // switches on one level that are joined; both NET_NOBODY in a tree
	bool regular;
	uint32_t *first; // in a regular tree the leaves below are first .. end - 1; otherwise NULL
	uint32_t *end;
	uint32_t longest; // switches on the longest way up to a common ancestor and down, in a
			  // regular tree
};

// TR_ERROR where memory runs out. Close it in any case.
enum tr_status net_tree_open(struct net_tree *tree, const struct net_graph *graph,
			     struct tr_error *err);
void net_tree_close(struct net_tree *tree);

// The switch (from 0) at a port of one; NET_NOBODY if there is none.
static inline uint32_t net_tree_peer(const struct net_graph *graph, uint32_t at, uint32_t port)
{
	const uint32_t node = net_graph_peer(graph, at + graph->hosts, port)->node;

	return net_graph_is_switch(graph, node) ? node - graph->hosts : NET_NOBODY;
}

// Whether a leaf is below a switch of a regular tree, or is it.
static inline bool net_tree_has_below(const struct net_tree *tree, uint32_t at, uint32_t leaf)
{
	return tree->first[at] <= tree->first[leaf] && tree->first[leaf] < tree->end[at];
}

// The highest switch above a leaf of a regular tree.
uint32_t net_tree_root(const struct net_tree *tree, const struct net_graph *graph, uint32_t leaf);

#endif
