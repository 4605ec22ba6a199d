// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routings/network_parts.h"

#include <stdlib.h>
#include <string.h>

#include "net/routes/choices.h"

// A part, with the numbers in the whole of its nodes and cables.
struct part {
	struct net_topology topology;
	struct net_routes routes;
	uint32_t *nodes;
	uint32_t *cables;
	uint32_t group; // that was numbered last, + 1
};

struct parts {
	struct part *each;
	uint32_t count;
	uint32_t group;	 // switches of one, that parts have whole
	uint32_t *of;	 // by node
	uint32_t *local; // by node: its number in the part
	uint32_t hosts;	 // of the whole
	struct net_routes_ways ways;
	struct net_routes_form form;
	struct net_chooser chooser;
};

static uint32_t parts_get_way(const void *state, uint32_t source, uint32_t destination,
			      uint32_t way, uint16_t *ports)
{
	const struct parts *parts = state;
	const struct net_routes *routes = &parts->each[parts->of[source]].routes;

	return parts->of[source] != parts->of[destination] || !routes->form
		       ? NET_NO_ROUTE
		       : net_routes_get_way(routes, parts->local[source], parts->local[destination],
					    way, ports);
}

static uint32_t parts_get(const void *state, uint32_t source, uint32_t destination, uint16_t *ports)
{
	return parts_get_way(state, source, destination, 0, ports);
}

// The ways of the part of a host; NULL: it has no two hosts.
static const struct net_routes_ways *parts_ways(const struct parts *parts, uint32_t host,
						const void **state)
{
	const struct net_routes *routes = &parts->each[parts->of[host]].routes;

	*state = routes->state;
	return routes->form ? routes->form->ways : NULL;
}

static uint32_t parts_start(const void *state, uint32_t source, uint32_t destination, uint32_t n)
{
	const struct parts *parts = state;
	const void *own;
	const struct net_routes_ways *ways = parts_ways(parts, source, &own);

	return parts->of[source] != parts->of[destination] || !ways ||
			       (ways->starts && n >= ways->starts(own))
		       ? NET_NO_ROUTE
		       : ways->start(own, parts->local[source], parts->local[destination], n);
}

static uint32_t parts_branches(const void *state, uint32_t place, uint32_t destination,
			       struct net_branch branches[NET_PORTS_MAX])
{
	const struct parts *parts = state;
	const uint32_t *cables = parts->each[parts->of[destination]].cables;
	const void *own;
	const struct net_routes_ways *ways = parts_ways(parts, destination, &own);
	const uint32_t count = ways->branches(own, place, parts->local[destination], branches);

	for (uint32_t i = 0; i < count; i++)
		branches[i].link = 2 * cables[branches[i].link / 2] + branches[i].link % 2;
	return count;
}

// As many as the part has that has most.
static uint32_t parts_starts(const void *state)
{
	const struct parts *parts = state;
	uint32_t most = 0;

	for (uint32_t i = 0; i < parts->count; i++) {
		const struct net_routes *part = &parts->each[i].routes;
		const uint32_t own = part->form ? part->form->ways->starts(part->state) : 0;

		most = own > most ? own : most;
	}
	return most;
}

static uint32_t parts_nth(const void *state, uint32_t source, uint32_t destination, uint32_t n,
			  uint16_t *steps)
{
	const struct parts *parts = state;
	const void *own;
	const struct net_routes_ways *ways = parts_ways(parts, source, &own);

	return parts->of[source] != parts->of[destination] || !ways
		       ? NET_NO_ROUTE
		       : ways->nth(own, parts->local[source], parts->local[destination], n, steps);
}

static uint32_t parts_draw(const void *state, uint32_t source, uint32_t destination, uint32_t way)
{
	const struct parts *parts = state;
	const void *own;
	const struct net_routes_ways *ways = parts_ways(parts, source, &own);

	return ways->draw(own, parts->local[source], parts->local[destination], way);
}

static uint32_t parts_turns(const void *state, uint32_t place, uint32_t destination, uint32_t n)
{
	const struct parts *parts = state;
	const void *own;
	const struct net_routes_ways *ways = parts_ways(parts, destination, &own);

	return ways->turns(own, place, parts->local[destination], n);
}

static bool parts_apart(const void *state, uint32_t place, uint32_t destination)
{
	const struct parts *parts = state;
	const void *own;
	const struct net_routes_ways *ways = parts_ways(parts, destination, &own);

	return ways->apart(own, place, parts->local[destination]);
}

// A packet that goes by older routes may be in another part than where it began or is to end.
static uint32_t parts_choose(const void *state, const struct net_choosing *choosing, uint32_t n,
			     uint16_t *steps)
{
	const struct parts *parts = state;
	const uint32_t own = parts->of[choosing->destination];
	const struct part *part = &parts->each[own];
	const uint32_t node = parts->hosts + choosing->at;
	struct net_choosing inside = *choosing;

	if (parts->of[choosing->source] != own || parts->of[node] != own)
		return 0;
	inside.source = parts->local[choosing->source];
	inside.destination = parts->local[choosing->destination];
	inside.at = parts->local[node] - part->topology.hosts;
	return part->routes.chooser->get(part->routes.state, &inside, n, steps);
}

static void parts_clear(void *state)
{
	struct parts *parts = state;

	for (uint32_t i = 0; parts->each && i < parts->count; i++) {
		net_topology_clear(&parts->each[i].topology);
		net_routes_clear(&parts->each[i].routes);
		free(parts->each[i].nodes);
		free(parts->each[i].cables);
	}
	free(parts->each);
	free(parts->of);
	free(parts->local);
	free(parts);
}

// ---- cutting

// Numbers a switch in its part, which gets all of its group with the first of them.
static void parts_number_switch(struct parts *parts, uint32_t hosts, uint32_t at)
{
	struct part *part = &parts->each[parts->of[hosts + at]];
	struct net_topology *topology = &part->topology;

	if (part->group != at / parts->group + 1) {
		part->group = at / parts->group + 1;
		topology->switches += parts->group;
	}
	parts->local[hosts + at] = topology->hosts + topology->switches - parts->group +
				   at % parts->group;
}

// Numbers the nodes of each part, and allocates what is of them.
static bool parts_number(struct parts *parts, const struct net_topology *topology, const bool *dead)
{
	bool room = true;

	for (uint32_t i = 0; i < topology->hosts; i++)
		parts->local[i] = parts->each[parts->of[i]].topology.hosts++;
	for (uint32_t i = 0; i < topology->switches; i++)
		parts_number_switch(parts, topology->hosts, i);
	for (size_t i = 0; i < topology->cable_count; i++)
		parts->each[parts->of[topology->cables[i].ends[0].node]].topology.cable_count +=
			!dead || !dead[i];
	for (uint32_t i = 0; i < parts->count; i++) {
		struct part *part = &parts->each[i];

		part->topology.ports = calloc((size_t)part->topology.switches + 1,
					      sizeof(*part->topology.ports));
		part->topology.cables = calloc(part->topology.cable_count + 1,
					       sizeof(*part->topology.cables));
		part->nodes = calloc((size_t)part->topology.hosts + part->topology.switches + 1,
				     sizeof(*part->nodes));
		part->cables = calloc(part->topology.cable_count + 1, sizeof(*part->cables));
		room = room && part->topology.ports && part->topology.cables && part->nodes &&
		       part->cables;
		part->topology.cable_count = 0;
	}
	return room;
}

static void parts_cut(struct parts *parts, const struct net_topology *topology, const bool *dead)
{
	for (uint32_t i = 0; i < topology->hosts; i++)
		parts->each[parts->of[i]].nodes[parts->local[i]] = i;
	for (uint32_t i = 0; i < topology->switches; i++) {
		struct part *part = &parts->each[parts->of[topology->hosts + i]];
		const uint32_t first = parts->local[topology->hosts + i] - i % parts->group;

		for (uint32_t k = 0; k < parts->group; k++) {
			const uint32_t of_group = i - i % parts->group + k;

			part->nodes[first + k] = topology->hosts + of_group;
			part->topology.ports[first + k - part->topology.hosts] =
				topology->ports[of_group];
		}
	}
	for (uint32_t i = 0; i < topology->cable_count; i++) {
		struct part *part = &parts->each[parts->of[topology->cables[i].ends[0].node]];
		struct net_cable *cable = &part->topology.cables[part->topology.cable_count];

		if (dead && dead[i])
			continue;
		part->cables[part->topology.cable_count++] = i;
		*cable = topology->cables[i];
		for (int end = 0; end < 2; end++)
			cable->ends[end].node = parts->local[cable->ends[end].node];
	}
}

// Whether the part has each of the network's groups of so many switches, or nothing of it.
static bool part_has_groups(const struct part *part, const struct net_topology *topology,
			    uint32_t group)
{
	const uint32_t *switches = part->nodes + part->topology.hosts;

	for (uint32_t i = 0; i < part->topology.switches; i++)
		if ((switches[i] - topology->hosts) % group != i % group ||
		    switches[i] != switches[i - i % group] + i % group)
			return false;
	return part->topology.switches % group == 0;
}

static struct parts *parts_open(const struct net_parts *what)
{
	const struct net_topology *topology = what->topology;
	const size_t nodes = (size_t)topology->hosts + topology->switches;
	struct parts *parts = calloc(1, sizeof(*parts));

	if (!parts)
		return NULL;
	*parts = (struct parts){
		.each = calloc(what->count, sizeof(*parts->each)),
		.count = what->count,
		.hosts = topology->hosts,
		.group = what->intact && what->intact->group > 1 ? what->intact->group : 1,
		.of = calloc(nodes, sizeof(*parts->of)),
		.local = calloc(nodes, sizeof(*parts->local))};
	if (parts->of)
		memcpy(parts->of, what->of, nodes * sizeof(*parts->of));
	if (parts->each && parts->of && parts->local && parts_number(parts, topology, what->dead)) {
		parts_cut(parts, topology, what->dead);
		for (uint32_t i = 0; i < what->count; i++)
			if (topology->group > 0 &&
			    part_has_groups(&parts->each[i], topology, topology->group))
				parts->each[i].topology.group = topology->group;
		return parts;
	}
	parts_clear(parts);
	return NULL;
}

// ---- joining what the parts have

// The ways of all parts.
static void parts_join_ways(struct parts *parts)
{
	const struct net_routes *first = &parts->each[0].routes;
	const struct net_routes_ways *ways;

	for (uint32_t i = 0; i < parts->count && !first->form; i++)
		first = &parts->each[i].routes;
	parts->form = (struct net_routes_form){parts_get, parts_clear, NULL};
	ways = first->form ? first->form->ways : NULL;
	if (!ways)
		return;
	parts->form.ways = &parts->ways;
	parts->ways = (struct net_routes_ways){.get = parts_get_way,
					       .start = parts_start,
					       .branches = parts_branches,
					       .starts = ways->starts ? parts_starts : NULL,
					       .nth = ways->nth ? parts_nth : NULL,
					       .draw = ways->draw ? parts_draw : NULL,
					       .turns = ways->turns ? parts_turns : NULL,
					       .apart = ways->apart ? parts_apart : NULL,
					       .adapts = ways->adapts};
}

static void parts_join_lists(struct net_routes *routes, struct parts *parts, bool anew)
{
	// Of two hosts of a switch one may be cut off.
	routes->by_switch = !anew;
	routes->acyclic = true;
	for (uint32_t i = 0; i < parts->count; i++) {
		const struct net_routes *part = &parts->each[i].routes;

		if (!part->form) // it has no two hosts
			continue;
		routes->longest = part->longest > routes->longest ? part->longest : routes->longest;
		routes->lanes = part->lanes > routes->lanes ? part->lanes : routes->lanes;
		routes->changes_lane = routes->changes_lane || part->changes_lane;
		routes->by_switch = routes->by_switch && part->by_switch;
		routes->acyclic = routes->acyclic && part->acyclic;
		routes->spread = part->spread;
		if (part->chooser) {
			parts->chooser = *part->chooser;
			parts->chooser.get = parts_choose;
			routes->chooser = &parts->chooser;
		}
		routes->group = part->group > routes->group ? part->group : routes->group;
	}
}

// The options of one input of a part for all its switches.
static enum tr_status parts_put_options(struct net_choices *choices, const struct part *part,
					uint32_t hosts, uint32_t input, struct tr_error *err)
{
	const struct net_choices *own = part->routes.choices;
	const struct net_input what = net_choices_what(own, input);
	const uint32_t link = what.link == NET_NOBODY
				      ? 0
				      : 2 * part->cables[what.link / 2] + what.link % 2;
	const uint32_t at = part->nodes[part->topology.hosts + what.at] - hosts;
	const uint32_t put = what.link == NET_NOBODY ? net_choices_host_input(at)
						     : net_choices_input(choices, link, what.lane);

	for (uint32_t to = 0; to < part->topology.switches; to++) {
		uint32_t count;
		const struct net_option *options = net_choices_get(own, input, to, &count);

		if (count > 0 &&
		    net_choices_put(choices, put, part->nodes[part->topology.hosts + to] - hosts,
				    options, count, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// intact: lanes that they have at least, from it; NULL.
static enum tr_status parts_join_choices(struct net_routes *routes,
					 const struct net_topology *topology,
					 const struct parts *parts, const struct net_routes *intact,
					 struct tr_error *err)
{
	struct net_choices *choices = NULL;
	struct net_graph graph;
	uint32_t lanes = intact ? net_choices_lanes(intact->choices) : 1;

	for (uint32_t i = 0; i < parts->count; i++)
		lanes = parts->each[i].routes.lanes > lanes ? parts->each[i].routes.lanes : lanes;
	if (net_graph_open(&graph, topology, err) != TR_OK)
		return TR_ERROR;
	choices = net_choices_open(&graph, lanes, err);
	net_graph_close(&graph);
	for (uint32_t i = 0; choices && i < parts->count; i++) {
		const struct part *part = &parts->each[i];

		if (!part->routes.choices)
			continue;
		if (net_choices_empty_needed(part->routes.choices))
			net_choices_need_empty(choices, true);
		for (uint32_t input = 0; input < net_choices_inputs(part->routes.choices); input++)
			if (parts_put_options(choices, part, topology->hosts, input, err) !=
			    TR_OK) {
				net_choices_close(choices);
				return TR_ERROR;
			}
	}
	return choices ? net_choices_routes(routes, choices, err) : TR_ERROR;
}

// Routes a part; of routes that go by groups of switches it must have whole ones.
static enum tr_status parts_make_one(struct part *part, const struct net_parts *what,
				     struct tr_error *err)
{
	if (what->make(what->context, &part->routes, &part->topology, err) != TR_OK)
		return TR_ERROR;
	if (part->routes.group > 1 && !part_has_groups(part, what->topology, part->routes.group))
		return tr_fail(err,
			       "it goes by groups of %u switches, of which only some are joined",
			       part->routes.group);
	return TR_OK;
}

enum tr_status net_parts_route(struct net_routes *routes, const struct net_parts *what,
			       struct tr_error *err)
{
	struct parts *parts = parts_open(what);
	bool choices = what->intact && what->intact->choices;
	enum tr_status status = TR_OK;
	struct tr_error why;

	*routes = (struct net_routes){0};
	if (!parts)
		return tr_no_memory(err, "the parts of the network");
	for (uint32_t i = 0; status == TR_OK && i < parts->count; i++) {
		struct part *part = &parts->each[i];

		if (part->topology.hosts == 0 || part->topology.cable_count == 0)
			continue;
		status = parts_make_one(part, what, &why);
		choices = choices || part->routes.choices;
		if (status != TR_OK)
			*err = why;
		if (status != TR_OK && parts->count > 1)
			(void)tr_fail(err, "part %u of %u: %s", i, parts->count, why.text);
	}
	if (status == TR_OK && choices) {
		status = parts_join_choices(routes, what->topology, parts, what->intact, err);
		parts_clear(parts);
		return status;
	}
	if (status != TR_OK) {
		parts_clear(parts);
		return TR_ERROR;
	}
	parts_join_ways(parts);
	*routes = (struct net_routes){
		.hosts = what->topology->hosts, .longest = 1, .form = &parts->form, .state = parts};
	parts_join_lists(routes, parts, what->intact);
	return TR_OK;
}
