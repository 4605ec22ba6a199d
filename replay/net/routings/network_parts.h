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

// Gives a part the network's groups of switches, unless it has some in part only. nodes: the
// numbers of the part's nodes in the whole network.
void net_part_take_group(struct net_topology *part, const uint32_t *nodes,
			 const struct net_topology *topology);

// TR_ERROR where routes of the network go by groups of switches that the part has in part only.
enum tr_status net_part_check_group(const struct net_topology *part, const uint32_t *nodes,
				    const struct net_topology *topology, uint32_t group,
				    struct tr_error *err);

#endif
