// SPDX-License-Identifier: GPL-3.0-or-later
// Any shortest way, on the lane of the number of links that a worm has passed, so that no cycle
// closes in any network (K. D. Gunther, Prevention of deadlocks in packet-switched data transport
// systems, IEEE Trans. Communications 29(4), 1981). In a HyperX a worm may so take any dimension
// that is left, on as many lanes as there are dimensions.
#include "net/routes/choices.h"
#include "net/routings/routing.h"
#include "net/routings/ways.h"

// The most links on a way between switches with hosts.
static uint32_t adaptive_longest(const struct net_ways *ways)
{
	uint32_t longest = 1;

	for (uint32_t to = 0; to < ways->states; to++)
		for (uint32_t at = 0; ways->target_of[to] != NET_NOBODY && at < ways->states;
		     at++) {
			const uint32_t far =
				ways->distances[(size_t)ways->target_of[to] * ways->states + at];

			if (ways->target_of[at] != NET_NOBODY && far != NET_FAR && far > longest)
				longest = far;
		}
	return longest;
}

static uint32_t adaptive_find(const void *work, struct net_input what, uint32_t to,
			      struct net_option options[NET_PORTS_MAX])
{
	const struct net_ways *ways = work;
	const uint16_t *far = ways->distances + (size_t)ways->target_of[to] * ways->states;
	const uint32_t node = what.at + ways->graph.hosts;
	const bool begins = what.link == NET_NOBODY;
	uint32_t found = 0;

	if (begins && (ways->target_of[what.at] == NET_NOBODY || far[what.at] == NET_FAR))
		return 0;
	for (uint32_t port = 0; port < net_graph_ports(&ways->graph, node); port++) {
		const uint32_t next = net_ways_step(ways, what.at,
						    net_graph_peer(&ways->graph, node, port));

		if (next != NET_NOBODY && far[next] + 1 == far[what.at])
			options[found++] = (struct net_option){
				.port = (uint16_t)port,
				.lane = (uint8_t)(begins ? 0 : what.lane + 1)};
	}
	return found;
}

static enum tr_status adaptive_make(struct net_routes *routes, const struct net_topology *topology,
				    const void *params, struct tr_error *err)
{
	static const struct net_choice_finder finder = {.find = adaptive_find};
	const struct net_tying tying = {NET_TIE_LOWEST, 0};
	struct net_ways ways;
	enum tr_status status = net_ways_open(&ways, topology, NULL, &tying, err);
	uint32_t lanes = 0;

	(void)params;
	*routes = (struct net_routes){0};
	if (status == TR_OK)
		status = net_ways_check_joined(&ways, err);
	if (status == TR_OK)
		lanes = adaptive_longest(&ways);
	if (lanes > NET_LANES_MAX)
		status = tr_fail(err, "needs %u lanes, and a link has at most %u", lanes,
				 NET_LANES_MAX);
	if (status == TR_OK)
		status = net_choices_follow(routes, net_choices_open(&ways.graph, lanes, err),
					    &finder, &ways, err);
	net_ways_close(&ways);
	return status;
}

const struct net_routing net_routing_adaptive = {
	.name = "adaptive",
	.summary = "any shortest way, on the lane of the links passed; no deadlock",
	.make = adaptive_make,
};
