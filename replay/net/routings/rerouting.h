// SPDX-License-Identifier: GPL-3.0-or-later
// Routes of a network of which cables are dead, by the rules for whole ones.
#ifndef NET_ROUTINGS_REROUTING_H
#define NET_ROUTINGS_REROUTING_H

#include <stdbool.h>

#include "net/routes/routes.h"
#include "net/topology/topology.h"
#include "value/status.h"

// Routes what is left of the network without its dead cables (a flag for each) by the rule that
// text names, as net_routing_make does; intact are its routes of the whole network. Each part whose
// hosts are still joined is routed as a network of its own, whose nodes keep their order; two hosts
// in different parts have no route. Steps are of the whole network. The caller clears *routes.
// TR_ERROR, and empty routes, where the rule cannot route a part, or memory runs out.
enum tr_status net_rerouting_make(struct net_routes *routes, const struct net_topology *topology,
				  const bool *dead, const char *text,
				  const struct net_routes *intact, struct tr_error *err);

#endif
