// SPDX-License-Identifier: GPL-3.0-or-later
// A shortest route for every pair. Deadlock is possible in any network with cycles.
#include "net/routings/ways.h"

static enum tr_status make(struct net_routes *routes, const struct net_topology *topology,
			   const struct net_routing_choices *choices, struct tr_error *err)
{
	struct net_ways ways;

	if (net_ways_open(&ways, topology, NULL, choices, err) == TR_OK)
		return net_ways_routes(&ways, routes, err);
	net_ways_close(&ways);
	return TR_ERROR;
}

const struct net_routing net_routing_shortest = {"shortest", "shortest routes; may deadlock",
						 NET_ROUTING_TIE | NET_ROUTING_GRID_ORDER, make};
