// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routings/detours_costs.h"

#include <stdlib.h>
#include <string.h>

#define TABLES_MAX ((uint64_t)1 << 31)

// Costs to the nearest of several switches: corrected until they hold. queue has room for all
// switches, queued is all false. False where a way has too many cables for a cost.
static bool detours_measure(const struct net_detours *detours, uint32_t first, uint32_t count,
			    uint16_t *costs, uint32_t *queue, bool *queued)
{
	const uint32_t room = detours->switches + 1;
	uint32_t head = 0, tail = 0;

	memset(costs, 0xff, detours->switches * sizeof(*costs));
	for (uint32_t i = first; i < first + count; i++) {
		costs[i] = 0;
		queue[tail++] = i;
		queued[i] = true;
	}
	while (head != tail) {
		const uint32_t at = queue[head];
		const uint32_t node = at + detours->graph.hosts;

		head = (head + 1) % room;
		queued[at] = false;
		for (uint32_t port = 0; port < net_graph_ports(&detours->graph, node); port++) {
			const struct net_peer *peer = net_graph_peer(&detours->graph, node, port);
			const uint32_t to = peer->node - detours->graph.hosts;
			uint32_t cost;

			if (!net_graph_is_switch(&detours->graph, peer->node))
				continue;
			cost = costs[at] + net_detours_cable(detours, at, to);
			if (cost >= costs[to])
				continue;
			if (detours->group > 1 && cost % NET_CROSSING == 0)
				return false;
			costs[to] = (uint16_t)cost;
			if (!queued[to]) {
				queued[to] = true;
				queue[tail] = to;
				tail = (tail + 1) % room;
			}
		}
	}
	return true;
}

enum tr_status net_detours_measure(struct net_detours *detours, struct tr_error *err)
{
	const size_t switches = detours->switches;
	uint32_t *queue = calloc(switches + 1, sizeof(*queue));
	bool *queued = calloc(switches + 1, sizeof(*queued));
	enum tr_status status = TR_OK;
	bool fits = true;

	if (switches * switches > TABLES_MAX)
		status = tr_fail(err, "%u switches are too many for a table", detours->switches);
	if (status == TR_OK) {
		detours->cost = malloc((switches * switches + 1) * sizeof(*detours->cost));
		detours->group_cost = malloc((switches * detours->groups + 1) *
					     sizeof(*detours->group_cost));
		if (!queue || !queued || !detours->cost || !detours->group_cost)
			status = tr_no_memory(err, "routes");
	}
	for (uint32_t to = 0; status == TR_OK && fits && to < detours->switches; to++)
		fits = detours_measure(detours, to, 1, detours->cost + to * switches, queue,
				       queued);
	for (uint32_t to = 0; status == TR_OK && fits && to < detours->groups; to++)
		fits = detours_measure(detours, to * detours->group, detours->group,
				       detours->group_cost + to * switches, queue, queued);
	free(queue);
	free(queued);
	return fits || status != TR_OK
		       ? status
		       : tr_fail(err, "a way between groups has more than %u cables",
				 NET_CROSSING - 1);
}

struct net_detours_most net_detours_most(const struct net_detours *detours, bool from_any,
					 bool to_waypoints)
{
	const uint16_t *table = to_waypoints ? detours->group_cost : detours->cost;
	struct net_detours_most most = {0, 0};

	for (uint32_t to = 0; to < (to_waypoints ? detours->groups : detours->switches); to++)
		for (uint32_t at = 0; at < detours->switches; at++) {
			const uint32_t cost = table[(size_t)to * detours->switches + at];

			if (cost == NET_FAR || (!from_any && detours->ties.share[at] == 0) ||
			    (!to_waypoints && detours->ties.share[to] == 0))
				continue;
			if (net_detours_hops(detours, cost) > most.hops)
				most.hops = net_detours_hops(detours, cost);
			if (net_detours_crossings(detours, cost) > most.crossings)
				most.crossings = net_detours_crossings(detours, cost);
		}
	return most;
}

uint32_t net_detours_width(const struct net_detours *detours)
{
	uint32_t width = 0;

	for (uint32_t at = 0; at < detours->switches; at++)
		for (uint32_t i = 0; i < detours->group; i++) {
			const uint32_t to = at / detours->group * detours->group + i;
			const uint32_t cost = detours->cost[(size_t)to * detours->switches + at];
			const uint32_t hops = net_detours_hops(detours, cost);

			width = cost != NET_FAR && hops > width ? hops : width;
		}
	return width;
}
