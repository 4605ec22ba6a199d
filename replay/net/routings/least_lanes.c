// SPDX-License-Identifier: GPL-3.0-or-later
// How many lanes a rule needs on a network.
#include "net/routes/deadlock.h"
#include "net/routings/routing.h"

// Tries a number of lanes. *least stays 0 where a cycle is left, *ends says whether more lanes
// change nothing.
static enum tr_status least_lanes_try(const struct net_topology *topology,
				      const struct net_graph *graph, const char *text,
				      uint32_t *least, bool *ends, uint32_t lanes,
				      struct tr_error *err)
{
	struct net_routes routes;
	struct net_cycle cycle = {0};
	enum tr_status status = net_routing_make_on(&routes, topology, text, lanes, err);

	if (status == TR_OK)
		status = net_deadlock_find(&cycle, graph, &routes, err);
	if (status == TR_OK) {
		*ends = routes.lanes < lanes;
		*least = cycle.count == 0 ? lanes : 0;
	}
	net_cycle_clear(&cycle);
	net_routes_clear(&routes);
	return status;
}

enum tr_status net_routing_least_lanes(const struct net_routes *routes,
				       const struct net_topology *topology, const char *text,
				       uint32_t *least, struct tr_error *err)
{
	struct net_graph graph = {0};
	enum tr_status status;
	bool ends = false;

	*least = 0;
	if (!net_routing_shares_lanes(text))
		return TR_OK;
	status = net_graph_open(&graph, topology, err);
	for (uint32_t lanes = net_routes_list_lanes(routes) + 1;
	     status == TR_OK && *least == 0 && !ends && lanes <= NET_LANES_MAX; lanes++)
		status = least_lanes_try(topology, &graph, text, least, &ends, lanes, err);
	net_graph_close(&graph);
	return status;
}
