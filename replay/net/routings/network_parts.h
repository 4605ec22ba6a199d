// SPDX-License-Identifier: GPL-3.0-or-later
// Routes of a network in parts, such as the planes of hosts with several ports.
#ifndef NET_ROUTINGS_NETWORK_PARTS_H
#define NET_ROUTINGS_NETWORK_PARTS_H

#include "net/routings/routing.h"

// Routes each part of the network as if it were alone, by make, which gets the context; adapters of
// different parts have no route. A part is numbered in the order of the whole, so that planes have
// the routes of one. of: the part of each node (net_parts_find), lent. The caller clears *routes.
// TR_ERROR, naming the part, where make fails, or memory runs out.
enum tr_status net_parts_route(struct net_routes *routes, const struct net_topology *topology,
			       const uint32_t *of, uint32_t parts,
			       enum tr_status (*make)(void *context, struct net_routes *routes,
						      const struct net_topology *part,
						      struct tr_error *err),
			       void *context, struct tr_error *err);

#endif
