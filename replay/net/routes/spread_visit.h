// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a visit of all ways (net/routes/spread.h): its layers, and what packets do apart
// from their destinations (spread_ahead.c).
#ifndef NET_SPREAD_VISIT_H
#define NET_SPREAD_VISIT_H

#include "net/routes/spread.h"

// Packets of a layer that have come by a channel to a place.
struct spread_entry {
	uint32_t link;
	uint32_t lane;
	uint32_t place;
	uint32_t source; // the first host that sent one
	double amount;
	double pairs;
};

struct spread_layer {
	struct spread_entry *entries;
	size_t count;
	size_t room;
};

// Packets that begin at number n of the switch of entry.source, its first host, and have come to a
// place where their destination matters when they have passed depth switches; entry.pairs is the
// share of those that begin so.
struct spread_arrival {
	struct spread_entry entry;
	uint32_t n;
	uint32_t depth;
};

// Packets of the hosts of a switch to those of another.
struct spread_flow {
	double amount;
	double pairs;
	uint32_t valid; // places where they may begin; 0: no route
};

struct spread_visit {
	const struct net_graph *graph;
	const struct net_routes *routes;
	const double *weights;
	struct spread_layer now, next;
	uint32_t *table; // of next's entries, + 1; 0: free
	size_t table_size;
	uint32_t *first_host;		 // by switch: a list of its hosts; NET_NOBODY
	uint32_t *next_host;		 // by host
	uint32_t depth;			 // of the layer
	struct spread_flow *flows;	 // [switch * switches + the other]; NULL: nothing is apart
	struct spread_arrival *arrivals; // in the order of depth
	size_t arrival_count, arrival_room;
	enum tr_status (*visit)(void *context, const struct net_spread_step *step,
				struct tr_error *err);
	void *context;
};

// What is sent from one host to another.
static inline double spread_weight(const struct spread_visit *visit, uint32_t source,
				   uint32_t destination)
{
	return visit->weights ? visit->weights[(size_t)source * visit->routes->hosts + destination]
			      : 1;
}

// The packets of a host's switch to that of another host.
static inline struct spread_flow *spread_flow_of(const struct spread_visit *visit, uint32_t source,
						 uint32_t destination)
{
	const struct net_graph *graph = visit->graph;
	const uint32_t from = net_graph_peer(graph, source, 0)->node - graph->hosts;
	const uint32_t to = net_graph_peer(graph, destination, 0)->node - graph->hosts;

	return &visit->flows[(size_t)from * net_graph_switches(graph) + to];
}

// Begins with no packets; adds some to the next layer; makes that this one.
void spread_begin(struct spread_visit *visit);
enum tr_status spread_add(struct spread_visit *visit, const struct spread_entry *entry,
			  struct tr_error *err);
void spread_descend(struct spread_visit *visit);

// Packets to a host, that are somewhere, go on from a place, each port as likely as the others.
enum tr_status spread_go(struct spread_visit *visit, const struct spread_entry *from, uint32_t host,
			 struct tr_error *err);

// --- spread_ahead.c

// Follows all that packets do apart from their destinations, for routes that say of what places
// they do (net_routes_ways.apart).
enum tr_status spread_ahead_all(struct spread_visit *visit, struct tr_error *err);

// Puts the packets to a switch with this host into the next layer that arrive then, from arrival
// *at on.
enum tr_status spread_arrive(struct spread_visit *visit, uint32_t host, size_t *at,
			     struct tr_error *err);

#endif
