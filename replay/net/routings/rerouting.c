// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routings/rerouting.h"

#include <stdlib.h>
#include <string.h>

#include "net/routes/choices.h"
#include "net/routings/network_parts.h"
#include "net/routings/routing.h"
#include "net/topology/graph.h"

// A part of the network: a topology of its own.
struct rerouting_part {
	struct net_topology topology;
	struct net_routes routes;
	uint32_t *nodes;  // of its nodes: their numbers in the whole network
	uint32_t *cables; // of its cables, likewise
};

// The parts, with the hosts of each.
struct rerouting_state {
	struct rerouting_part *parts;
	uint32_t count;
	uint32_t hosts;	   // of the whole network
	uint32_t *part_of; // of a node: its part; NET_NOBODY: one without hosts
	uint32_t *place;   // of a node: its number there
};

static void rerouting_clear(void *state)
{
	struct rerouting_state *rerouting = state;

	for (uint32_t i = 0; rerouting->parts && i < rerouting->count; i++) {
		struct rerouting_part *part = &rerouting->parts[i];

		net_routes_clear(&part->routes);
		net_topology_clear(&part->topology);
		free(part->nodes);
		free(part->cables);
	}
	free(rerouting->parts);
	free(rerouting->part_of);
	free(rerouting->place);
	free(rerouting);
}

static uint32_t rerouting_get_way(const void *state, uint32_t source, uint32_t destination,
				  uint32_t way, uint16_t *steps)
{
	const struct rerouting_state *rerouting = state;
	const uint32_t part = rerouting->part_of[source];

	if (part != rerouting->part_of[destination] || !rerouting->parts[part].routes.form)
		return NET_NO_ROUTE;
	return net_routes_get_way(&rerouting->parts[part].routes, rerouting->place[source],
				  rerouting->place[destination], way, steps);
}

static uint32_t rerouting_get(const void *state, uint32_t source, uint32_t destination,
			      uint16_t *steps)
{
	return rerouting_get_way(state, source, destination, 0, steps);
}

static const struct net_routes_ways spreading = {.get = rerouting_get_way};
static const struct net_routes_form form = {rerouting_get, rerouting_clear, &spreading};

// The node at the end of the chain that leads on from a node; each points to one before it.
static uint32_t rerouting_first(uint32_t *before, uint32_t node)
{
	while (before[node] != node)
		node = before[node] = before[before[node]];
	return node;
}

// Numbers the parts, and the nodes of each, in the order of the whole network's.
static enum tr_status rerouting_divide(struct rerouting_state *rerouting,
				       const struct net_topology *topology, const bool *dead,
				       struct tr_error *err)
{
	const uint32_t nodes = topology->hosts + topology->switches;
	uint32_t *before = calloc((size_t)nodes + 1, sizeof(*before));

	rerouting->part_of = malloc(((size_t)nodes + 1) * sizeof(*rerouting->part_of));
	rerouting->place = calloc((size_t)nodes + 1, sizeof(*rerouting->place));
	rerouting->parts = calloc((size_t)topology->hosts + 1, sizeof(*rerouting->parts));
	if (!before || !rerouting->part_of || !rerouting->place || !rerouting->parts) {
		free(before);
		return tr_no_memory(err, "the parts of the network");
	}
	memset(rerouting->part_of, 0xff, ((size_t)nodes + 1) * sizeof(*rerouting->part_of));
	for (uint32_t i = 0; i < nodes; i++)
		before[i] = i;
	for (uint32_t i = 0; i < topology->cable_count; i++) {
		const struct net_end *ends = topology->cables[i].ends;
		const uint32_t a = rerouting_first(before, ends[0].node),
			       b = rerouting_first(before, ends[1].node);

		if (!dead[i])
			before[a > b ? a : b] = a > b ? b : a;
	}
	for (uint32_t i = 0; i < nodes; i++) {
		const uint32_t first = rerouting_first(before, i);
		struct net_topology *part;

		if (first == i && i < topology->hosts)
			rerouting->part_of[i] = rerouting->count++;
		rerouting->part_of[i] = rerouting->part_of[first];
		if (rerouting->part_of[i] == NET_NOBODY)
			continue;
		part = &rerouting->parts[rerouting->part_of[i]].topology;
		rerouting->place[i] = part->hosts + part->switches;
		part->hosts += i < topology->hosts;
		part->switches += i >= topology->hosts;
	}
	free(before);
	return TR_OK;
}

// Takes the memory of a part for at most so many cables.
static enum tr_status part_open(struct rerouting_part *part, size_t cables, struct tr_error *err)
{
	const size_t nodes = (size_t)part->topology.hosts + part->topology.switches;

	part->nodes = calloc(nodes + 1, sizeof(*part->nodes));
	part->cables = calloc(cables + 1, sizeof(*part->cables));
	part->topology.ports = calloc((size_t)part->topology.switches + 1,
				      sizeof(*part->topology.ports));
	part->topology.cables = calloc(cables + 1, sizeof(*part->topology.cables));
	if (!part->nodes || !part->cables || !part->topology.ports || !part->topology.cables)
		return tr_no_memory(err, "the parts of the network");
	return TR_OK;
}

// Gives the parts their nodes and cables.
static enum tr_status rerouting_lay(struct rerouting_state *rerouting,
				    const struct net_topology *topology, const bool *dead,
				    struct tr_error *err)
{
	const uint32_t nodes = topology->hosts + topology->switches;
	size_t *cables = calloc((size_t)rerouting->count + 1, sizeof(*cables));
	enum tr_status status = cables ? TR_OK : tr_no_memory(err, "the parts of the network");

	for (size_t i = 0; cables && i < topology->cable_count; i++) {
		const uint32_t part = rerouting->part_of[topology->cables[i].ends[0].node];

		if (!dead[i] && part != NET_NOBODY)
			cables[part]++;
	}
	for (uint32_t i = 0; i < rerouting->count && status == TR_OK; i++)
		status = part_open(&rerouting->parts[i], cables[i], err);
	free(cables);
	for (uint32_t i = 0; i < nodes && status == TR_OK; i++) {
		struct rerouting_part *part;

		if (rerouting->part_of[i] == NET_NOBODY)
			continue;
		part = &rerouting->parts[rerouting->part_of[i]];
		part->nodes[rerouting->place[i]] = i;
		if (i >= topology->hosts)
			part->topology.ports[rerouting->place[i] - part->topology.hosts] =
				topology->ports[i - topology->hosts];
	}
	for (uint32_t i = 0; i < topology->cable_count && status == TR_OK; i++) {
		const uint32_t number = rerouting->part_of[topology->cables[i].ends[0].node];
		struct rerouting_part *part;
		struct net_cable *cable;

		if (dead[i] || number == NET_NOBODY)
			continue;
		part = &rerouting->parts[number];
		part->cables[part->topology.cable_count] = i;
		cable = &part->topology.cables[part->topology.cable_count++];
		*cable = topology->cables[i];
		for (int end = 0; end < 2; end++)
			cable->ends[end].node = rerouting->place[cable->ends[end].node];
	}
	for (uint32_t i = 0; i < rerouting->count && status == TR_OK; i++)
		net_part_take_group(&rerouting->parts[i].topology, rerouting->parts[i].nodes,
				    topology);
	return status;
}

// Routes a part of hosts; one host alone has no need of routes.
static enum tr_status rerouting_route(struct rerouting_part *part,
				      const struct net_topology *topology, const char *text,
				      uint32_t group, struct tr_error *err)
{
	if (part->topology.cable_count > 0)
		return net_part_check_group(&part->topology, part->nodes, topology, group, err) ==
				       TR_OK
			       ? net_routing_make(&part->routes, &part->topology, text, err)
			       : TR_ERROR;
	part->routes = (struct net_routes){.hosts = 1, .longest = 1, .acyclic = true};
	return TR_OK;
}

// The options of a part's input and destination in the whole network.
static enum tr_status rerouting_put(struct net_choices *whole, const struct rerouting_part *part,
				    uint32_t input, uint32_t to, uint32_t hosts,
				    struct tr_error *err)
{
	const struct net_choices *choices = part->routes.choices;
	const struct net_input what = net_choices_what(choices, input);
	uint32_t count, number;
	const struct net_option *options = net_choices_get(choices, input, to, &count);

	if (count == 0)
		return TR_OK;
	if (what.link == NET_NOBODY)
		number = net_choices_host_input(part->nodes[part->topology.hosts + what.at] -
						hosts);
	else
		number = net_choices_input(whole, 2 * part->cables[what.link / 2] + what.link % 2,
					   what.lane);
	return net_choices_put(whole, number, part->nodes[part->topology.hosts + to] - hosts,
			       options, count, err);
}

// Turns the choices of the parts into those of the whole network.
static enum tr_status rerouting_choose(struct net_routes *routes,
				       const struct rerouting_state *rerouting,
				       const struct net_topology *topology, uint32_t lanes,
				       struct tr_error *err)
{
	struct net_choices *whole = NULL;
	struct net_graph graph;
	enum tr_status status = net_graph_open(&graph, topology, err);

	if (status == TR_OK && !(whole = net_choices_open(&graph, lanes, err)))
		status = TR_ERROR;
	for (uint32_t i = 0; i < rerouting->count && status == TR_OK; i++) {
		const struct rerouting_part *part = &rerouting->parts[i];

		if (!part->routes.choices)
			continue;
		if (net_choices_lanes(part->routes.choices) > lanes)
			status = tr_fail(err, "a part of the network needs more lanes");
		if (net_choices_empty_needed(part->routes.choices))
			net_choices_need_empty(whole, true);
		for (uint32_t input = 0;
		     status == TR_OK && input < net_choices_inputs(part->routes.choices); input++)
			for (uint32_t to = 0; to < part->topology.switches && status == TR_OK; to++)
				status = rerouting_put(whole, part, input, to, topology->hosts,
						       err);
	}
	net_graph_close(&graph);
	if (status == TR_OK)
		return net_choices_routes(routes, whole, err);
	net_choices_close(whole);
	return TR_ERROR;
}

// What the routes of all parts are together; the state is theirs.
static void rerouting_join(struct net_routes *routes, struct rerouting_state *rerouting)
{
	*routes = (struct net_routes){.hosts = rerouting->hosts,
				      .longest = 1,
				      .form = &form,
				      .state = rerouting,
				      .acyclic = true};
	for (uint32_t i = 0; i < rerouting->count; i++) {
		const struct net_routes *part = &rerouting->parts[i].routes;

		if (part->longest > routes->longest)
			routes->longest = part->longest;
		if (part->lanes > routes->lanes)
			routes->lanes = part->lanes;
		routes->acyclic = routes->acyclic && part->acyclic;
		routes->changes_lane = routes->changes_lane || part->changes_lane;
		if (part->spread)
			routes->spread = part->spread;
		routes->group = part->group > routes->group ? part->group : routes->group;
	}
}

enum tr_status net_rerouting_make(struct net_routes *routes, const struct net_topology *topology,
				  const bool *dead, const char *text,
				  const struct net_routes *intact, struct tr_error *err)
{
	struct rerouting_state *rerouting = calloc(1, sizeof(*rerouting));
	enum tr_status status;

	*routes = (struct net_routes){0};
	if (!rerouting)
		return tr_no_memory(err, "the parts of the network");
	rerouting->hosts = topology->hosts;
	status = rerouting_divide(rerouting, topology, dead, err);
	if (status == TR_OK)
		status = rerouting_lay(rerouting, topology, dead, err);
	for (uint32_t i = 0; i < rerouting->count && status == TR_OK; i++)
		status = rerouting_route(&rerouting->parts[i], topology, text, intact->group, err);
	if (status == TR_OK && !intact->choices) {
		rerouting_join(routes, rerouting);
		return TR_OK;
	}
	if (status == TR_OK)
		status = rerouting_choose(routes, rerouting, topology,
					  net_choices_lanes(intact->choices), err);
	rerouting_clear(rerouting);
	if (status != TR_OK)
		net_routes_clear(routes);
	return status;
}
