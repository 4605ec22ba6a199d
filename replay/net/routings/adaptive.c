// SPDX-License-Identifier: GPL-3.0-or-later
// Any shortest way, on the lane of the number of links that a worm has passed, so that no cycle
// closes in any network (K. D. Gunther, Prevention of deadlocks in packet-switched data transport
// systems, IEEE Trans. Communications 29(4), 1981). In a HyperX a worm may so take any dimension
// that is left, on as many lanes as there are dimensions.
#include <stdlib.h>
#include <string.h>

#include "net/routes/choices.h"
#include "net/routings/routing.h"
#include "net/routings/ways.h"

struct adaptive_work {
	struct net_ways ways;
	struct net_choices *choices;
	uint32_t *queue; // of inputs
	bool *met;	 // by input
	struct net_option options[NET_PORTS_MAX];
};

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

// Tells the choices what worms to a switch may do that came by an input, and notes where they get
// by that.
static enum tr_status adaptive_put(struct adaptive_work *work, uint32_t input, uint32_t to,
				   uint32_t *count, struct tr_error *err)
{
	const struct net_ways *ways = &work->ways;
	const uint16_t *far = ways->distances + (size_t)ways->target_of[to] * ways->states;
	const struct net_input what = net_choices_what(work->choices, input);
	const uint32_t node = what.at + ways->graph.hosts;
	uint32_t found = 0;

	for (uint32_t port = 0; port < net_graph_ports(&ways->graph, node); port++) {
		const uint32_t next = net_ways_step(ways, what.at,
						    net_graph_peer(&ways->graph, node, port));
		struct net_option *option = &work->options[found];
		uint32_t behind;

		if (next == NET_NOBODY || far[next] + 1 != far[what.at])
			continue;
		*option = (struct net_option){
			.port = (uint16_t)port,
			.lane = (uint8_t)(what.link == NET_NOBODY ? 0 : what.lane + 1)};
		found++;
		behind = net_choices_next(work->choices, what.at, *option);
		if (next == to || work->met[behind])
			continue;
		work->met[behind] = true;
		work->queue[(*count)++] = behind;
	}
	return net_choices_put(work->choices, input, to, work->options, found, err);
}

static enum tr_status adaptive_put_all(struct adaptive_work *work, uint32_t to,
				       struct tr_error *err)
{
	const struct net_ways *ways = &work->ways;
	const uint16_t *far = ways->distances + (size_t)ways->target_of[to] * ways->states;
	enum tr_status status = TR_OK;
	uint32_t count = 0;

	memset(work->met, 0, net_choices_inputs(work->choices) * sizeof(*work->met));
	for (uint32_t at = 0; at < ways->states; at++)
		if (at != to && ways->target_of[at] != NET_NOBODY && far[at] != NET_FAR)
			work->queue[count++] = net_choices_host_input(at);
	for (uint32_t i = 0; i < count && status == TR_OK; i++)
		status = adaptive_put(work, work->queue[i], to, &count, err);
	return status;
}

static enum tr_status adaptive_open(struct adaptive_work *work, const struct net_topology *topology,
				    struct tr_error *err)
{
	const struct net_tying tying = {NET_TIE_LOWEST, 0};
	uint32_t lanes;

	if (net_ways_open(&work->ways, topology, NULL, &tying, err) != TR_OK ||
	    net_ways_check_joined(&work->ways, err) != TR_OK)
		return TR_ERROR;
	lanes = adaptive_longest(&work->ways);
	if (lanes > NET_LANES_MAX)
		return tr_fail(err, "needs %u lanes, and a link has at most %u", lanes,
			       NET_LANES_MAX);
	work->choices = net_choices_open(&work->ways.graph, lanes, err);
	if (!work->choices)
		return TR_ERROR;
	work->queue = calloc((size_t)net_choices_inputs(work->choices) + 1, sizeof(*work->queue));
	work->met = calloc((size_t)net_choices_inputs(work->choices) + 1, sizeof(*work->met));
	return work->queue && work->met ? TR_OK : tr_no_memory(err, "the choices of routes");
}

static enum tr_status adaptive_make(struct net_routes *routes, const struct net_topology *topology,
				    const void *params, struct tr_error *err)
{
	struct adaptive_work *work = calloc(1, sizeof(*work));
	enum tr_status status = work ? adaptive_open(work, topology, err)
				     : tr_no_memory(err, "the choices of routes");

	(void)params;
	*routes = (struct net_routes){0};
	for (uint32_t to = 0; status == TR_OK && to < topology->switches; to++)
		if (work->ways.target_of[to] != NET_NOBODY)
			status = adaptive_put_all(work, to, err);
	if (status == TR_OK)
		status = net_choices_routes(routes, work->choices, err);
	else if (work)
		net_choices_close(work->choices);
	if (work) {
		net_ways_close(&work->ways);
		free(work->queue);
		free(work->met);
	}
	free(work);
	return status;
}

const struct net_routing net_routing_adaptive = {
	.name = "adaptive",
	.summary = "any shortest way, on the lane of the links passed; no deadlock",
	.make = adaptive_make,
};
