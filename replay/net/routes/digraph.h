// SPDX-License-Identifier: GPL-3.0-or-later
// Directed graphs that are known by the successors of each node: strongly connected components
// (Tarjan, Depth-first search and linear graph algorithms, SIAM J. Computing 1(2), 1972), and
// cycles. No recursion; time and memory grow with nodes and edges.
#ifndef NET_DIGRAPH_H
#define NET_DIGRAPH_H

#include <stdint.h>

#include "value/status.h"

struct net_digraph {
	uint32_t nodes; // below NET_NOBODY
	// The successor of node at *place, which is 0 at first and is moved on; NET_NOBODY after
	// the last.
	uint32_t (*next)(const void *context, uint32_t node, uint32_t *place);
	const void *context;
};

// Components of what was visited so far. order holds the nodes visited, count of them, component
// after component, each behind those that it leads to; root is the same node for all of a
// component, and NET_NOBODY for nodes not visited.
struct net_components {
	uint32_t *order;
	uint32_t count;
	uint32_t *root;
	uint32_t *work; // its own
};

// Room for this many nodes. TR_ERROR where memory runs out. Close it in any case; zero is a valid
// closed one.
enum tr_status net_components_open(struct net_components *components, uint32_t nodes,
				   struct tr_error *err);

// Forgets all visits.
void net_components_clear(struct net_components *components, uint32_t nodes);

// Visits all that can be reached from start.
void net_components_visit(struct net_components *components, const struct net_digraph *graph,
			  uint32_t start);

// Frees what it holds; it is empty then.
void net_components_close(struct net_components *components);

// A shortest cycle through the lowest node that is in any: each node leads to the next in *cycle,
// the last to the first. *count is its length, 0 where there is none. The caller frees *cycle.
// TR_ERROR where memory runs out.
enum tr_status net_digraph_cycle(const struct net_digraph *graph, uint32_t **cycle, uint32_t *count,
				 struct tr_error *err);

#endif
