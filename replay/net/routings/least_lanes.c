// SPDX-License-Identifier: GPL-3.0-or-later
// How many lanes a rule needs on a network.
#include <stdlib.h>

#include "net/routes/deadlock.h"
#include "net/routings/routing.h"

// Tries a number of lanes. *least stays 0 where a cycle is left, *ends says whether more lanes
// change nothing.
static enum tr_status least_lanes_try(const struct net_topology *topology,
				      const struct net_graph *graph, const struct net_routing *rule,
				      const void *params, uint32_t *least, bool *ends,
				      uint32_t lanes, struct tr_error *err)
{
	struct net_routes routes;
	struct net_cycle cycle = {0};
	enum tr_status status = rule->make(&routes, topology, params, err);

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
	void *params = NULL;
	const struct net_routing *rule = net_routing_parse(text, &params, NULL);
	struct net_tying *tying = params;
	struct net_graph graph = {0};
	enum tr_status status = TR_OK;
	bool ends = false;

	*least = 0;
	if (!rule || rule->lanes_at == 0) {
		free(params);
		return TR_OK;
	}
	if (rule->ties)
		(void)net_routing_has_tie(text, topology, &tying->tie);
	status = net_graph_open(&graph, topology, err);
	for (uint32_t lanes = net_routes_list_lanes(routes) + 1;
	     status == TR_OK && *least == 0 && !ends && lanes <= NET_LANES_MAX; lanes++) {
		*(uint64_t *)(void *)((char *)params + rule->lanes_at) = lanes;
		status = least_lanes_try(topology, &graph, rule, params, least, &ends, lanes, err);
	}
	net_graph_close(&graph);
	free(params);
	return status;
}
