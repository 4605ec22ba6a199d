// SPDX-License-Identifier: GPL-3.0-or-later
// For each pair of hosts, the output port that the worm takes at each switch on its way.
#ifndef NET_ROUTES_H
#define NET_ROUTES_H

#include <stdint.h>

#include "net/topology.h"
#include "trace/status.h"

#define NET_NO_ROUTE UINT32_MAX

// How routes are held: all pairs in a table, or a rule that works out one pair at a time. get must
// not allocate; it writes at most net_routes.longest ports and returns their number, or
// NET_NO_ROUTE.
struct net_routes_form {
	uint32_t (*get)(const void *state, uint32_t source, uint32_t destination, uint16_t *ports);
	void (*clear)(void *state);
};

// Zero is a valid empty one.
struct net_routes {
	uint32_t hosts;
	uint32_t longest; // switches on the longest route, at least 1
	const struct net_routes_form *form;
	void *state;
};

// Shortest ways by the lowest ports, as a table: net_routing_make of "shortest:tie=lowest". The
// caller clears *routes.
enum tr_status net_routes_shortest(struct net_routes *routes, const struct net_topology *topology, struct tr_error *err);

// Writes the output ports from host source to host destination (both below routes->hosts), first
// switch first, into ports, which has room for routes->longest. Returns how many switches the worm
// passes (0 on a direct link), NET_NO_ROUTE where there is no way.
uint32_t net_routes_get(const struct net_routes *routes, uint32_t source, uint32_t destination, uint16_t *ports);

// Frees what it holds; it is empty afterwards.
void net_routes_clear(struct net_routes *routes);

#endif
