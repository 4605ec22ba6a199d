// SPDX-License-Identifier: GPL-3.0-or-later
// A shortest route for every pair. Deadlock is possible in any network with cycles. In a regular
// tree, and by the lowest ports in a grid, the routes are computed without distances.
#include "net/routings/dimension.h"
#include "net/routings/nca.h"
#include "net/routings/ways.h"

static enum tr_status shortest_make(struct net_routes *routes, const struct net_topology *topology,
				    const void *params, struct tr_error *err)
{
	const struct net_tying *tying = params;
	struct net_ways ways;

	if (net_nca_regular(routes, topology, tying, err) != TR_OK)
		return TR_ERROR;
	if (!routes->form && tying->tie == NET_TIE_LOWEST)
		net_dimension_lowest(routes, topology);
	if (routes->form)
		return TR_OK;
	if (net_ways_open(&ways, topology, NULL, params, err) == TR_OK)
		return net_ways_routes(&ways, routes, err);
	net_ways_close(&ways);
	return TR_ERROR;
}

struct shortest_params {
	struct net_tying tying;
};

static const struct key keys[] = {NET_TYING_KEYS(struct shortest_params), {.type = KEY_END}};
static const struct shortest_params usual = {{NET_TIE_DEFAULT, 0}};

const struct net_routing net_routing_shortest = {
	.name = "shortest",
	.summary = "shortest routes; may deadlock",
	.keys = keys,
	.params_bytes = sizeof(usual),
	.usual = &usual,
	.ties = true,
	.grid_order = true,
	.make = shortest_make,
};
