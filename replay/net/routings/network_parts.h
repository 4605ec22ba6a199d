// SPDX-License-Identifier: GPL-3.0-or-later
// Routes of a network in parts, such as the planes of hosts with several ports, or what dead cables
// leave of one.
#ifndef NET_ROUTINGS_NETWORK_PARTS_H
#define NET_ROUTINGS_NETWORK_PARTS_H

#include "net/routings/routing.h"

// All is lent.
struct net_parts {
	const struct net_topology *topology; // the whole
	const bool *dead;		     // of each cable; NULL: none is
	const uint32_t *of;		     // the part of each node (net_parts_find)
	uint32_t count;
	const struct net_routes *intact; // of routes anew: those of the whole, which they are to be
					 // like; NULL
	enum tr_status (*make)(void *context, struct net_routes *routes,
			       const struct net_topology *part, struct tr_error *err);
	void *context;
};

// Routes each part of the network that has cables as if it were alone, by make, which gets the
// context; adapters of different parts have no route. Where the intact routes go by groups of
// switches, a part has all of a group of which it has one, those that are not joined without
// cables. A part is numbered in the order of the whole,
// so that planes have the routes of one; steps are of the whole. The caller clears *routes.
// TR_ERROR, naming the part, where make fails, or memory runs out.
enum tr_status net_parts_route(struct net_routes *routes, const struct net_parts *parts,
			       struct tr_error *err);

#endif
