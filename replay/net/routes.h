// SPDX-License-Identifier: GPL-3.0-or-later
// For each pair of hosts, the output port that the worm takes at each switch on its way.
#ifndef NET_ROUTES_H
#define NET_ROUTES_H

#include <stdint.h>

#include "net/topology.h"
#include "trace/status.h"

struct net_route {
	const uint16_t *ports; // lent, as long as the routes live
	uint32_t count;        // switches passed
};

// Routes of all pairs in one table: pair (source, destination) has ports[first[i]] ..
// ports[first[i+1]-1] with i = source * hosts + destination.
struct net_routes {
	uint32_t hosts;
	uint32_t longest;
	uint32_t *first;
	uint16_t *ports;
};

// A shortest route for every pair, by breadth-first search; among equals the one that leaves by the
// lowest port at the earliest switch. A host's route to itself turns round in its first switch; on
// a direct link it is empty and must not be used. TR_ERROR where a pair is not joined or memory
// ends. The caller clears *routes.
enum tr_status net_routes_shortest(struct net_routes *routes, const struct net_topology *topology,
				   struct tr_error *err);

struct net_route net_routes_get(const struct net_routes *routes, uint32_t source,
				uint32_t destination);

// Frees what it holds; it is empty afterwards.
void net_routes_clear(struct net_routes *routes);

#endif
