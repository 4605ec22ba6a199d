// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes that exchange traffic on hosts of a network: what a placement costs, and the search for a
// better one.
#ifndef REPLAY_PLACEMENT_H
#define REPLAY_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/routes/routes.h"
#include "net/topology/graph.h"
#include "net/topology/topology.h"
#include "value/status.h"

// The edges of a virtual network between nodes 0 .. nodes-1. Zero is a valid empty one.
struct place_pattern {
	uint32_t nodes;
	struct place_edge {
		uint32_t from, to; // different
		double weight;	   // above 0: a whole number
	} * edges;
	size_t count;
};

// TR_ERROR where memory runs out. An edge from a node to itself is left out.
enum tr_status place_pattern_add(struct place_pattern *pattern, uint32_t from, uint32_t to,
				 double weight, struct tr_error *err);
// Makes edges between the same nodes in the same direction one.
void place_pattern_merge(struct place_pattern *pattern);

// Frees what it holds; it is empty then.
void place_pattern_clear(struct place_pattern *pattern);

// What counts, in this order.
struct place_cost {
	double load; // of the edges whose routes use the busiest cable between switches, either way
	uint32_t dilation; // cables on the longest route of an edge; UINT32_MAX: it has none
	double hops;	   // cables on the routes of all edges, by weight
};

// Zero is a valid closed one.
struct placement {
	const struct place_pattern *pattern; // lent, as are the next two
	const struct net_topology *topology;
	const struct net_routes *routes;
	uint32_t *host_of; // by node; the caller sets and reads it
	// Private.
	struct net_graph graph;
	double *loads;	    // by cable
	uint32_t *lengths;  // by edge
	double hops;	    // of all
	uint16_t *ports;    // of one route
	uint32_t *first;    // by node: its place in edges_of
	uint32_t *edges_of; // edges of each node
	uint32_t *node_of;  // by host; UINT32_MAX: none
};

// Opens with node i on host i. TR_ERROR where there are more nodes than hosts, or memory runs out.
// Close it in any case.
enum tr_status placement_open(struct placement *placement, const struct place_pattern *pattern,
			      const struct net_topology *topology, const struct net_routes *routes,
			      struct tr_error *err);

// The cost of host_of, in which no host occurs twice.
struct place_cost placement_cost(struct placement *placement);

// Whether a is better than b.
bool place_cost_less(const struct place_cost *a, const struct place_cost *b);

// Hill climbing from host_of: tries times two hosts, drawn from the stream map/climb of the seed,
// exchange their nodes, and keep the exchange if the cost does not rise. Returns the cost of the
// new host_of.
struct place_cost placement_climb(struct placement *placement, uint64_t seed, uint64_t tries);

// A load that no placement can go below, where no switch has two hosts, else 0: the greatest of the
// weight of an edge, the weight of all over the cables between switches, the traffic of the busiest
// node over the most cables of a switch, and, where every host gets a node, that of the idlest node
// over the fewest.
double placement_bound(const struct placement *placement);

// Frees what it holds; it is empty then.
void placement_close(struct placement *placement);

#endif
