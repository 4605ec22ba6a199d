// SPDX-License-Identifier: GPL-3.0-or-later
// Routes between switches by a rule: those of a network that has one host on each.
#include <stdlib.h>

#include "net/routes/digraph.h"
#include "net/routes/route_path.h"
#include "net/routings/routing.h"
#include "net/topology/topology_build.h"
#include "plan.h"

enum tr_status plan_routes_open(struct plan_routes *routes, uint32_t switches, struct tr_error *err)
{
	const size_t pairs = (size_t)switches * switches;

	routes->counts = calloc(pairs + 1, sizeof(*routes->counts));
	routes->steps = calloc(pairs + 1, PLAN_STEPS_MAX * sizeof(*routes->steps));
	return routes->counts && routes->steps
		       ? TR_OK
		       : tr_no_memory(err, "the routes of %u switches", switches);
}

void plan_routes_close(struct plan_routes *routes)
{
	free(routes->counts);
	free(routes->steps);
	*routes = (struct plan_routes){NULL, NULL};
}

static enum tr_status too_long(const struct plan *plan, uint32_t from, uint32_t to,
			       struct tr_error *err)
{
	char a[NET_NAME_MAX + 16], b[NET_NAME_MAX + 16];

	return tr_fail(err, "the route from %s to %s has more than %u channels",
		       plan_switch_name(plan, from, a, sizeof(a)),
		       plan_switch_name(plan, to, b, sizeof(b)), PLAN_STEPS_MAX);
}

static enum tr_status plan_routes_apart(const struct plan *plan, uint32_t from, uint32_t to,
					struct tr_error *err)
{
	char a[NET_NAME_MAX + 16], b[NET_NAME_MAX + 16];

	return tr_fail(err, "%s and %s are not joined", plan_switch_name(plan, from, a, sizeof(a)),
		       plan_switch_name(plan, to, b, sizeof(b)));
}

// --- inside blocks

static uint32_t channel_of_place(const struct plan *plan, uint32_t place, bool back)
{
	const uint32_t cable = plan->rule.cable_of_place[place];
	const bool turned = plan->cables[cable].ends[0].node != plan->rule.blocks->objects[place];

	return 2 * cable + (turned != back);
}

static enum tr_status route_in_blocks(const struct plan *plan, struct plan_routes *routes,
				      uint32_t from, uint32_t to, const struct net_legs *legs,
				      struct tr_error *err)
{
	const size_t pair = (size_t)from * plan->switches + to;
	uint32_t *steps = routes->steps + pair * PLAN_STEPS_MAX;
	uint32_t count = 0;

	for (uint32_t now = from; now != to;) {
		const struct net_leg *leg = net_legs_at(legs, now, to);

		if (leg->from == leg->to)
			return plan_routes_apart(plan, from, to, err);
		for (uint32_t place = leg->from; place != leg->to;) {
			const bool back = leg->to < leg->from;

			if (count == PLAN_STEPS_MAX)
				return too_long(plan, from, to, err);
			steps[count++] = channel_of_place(plan, back ? place - 1 : place, back);
			place = back ? place - 1 : place + 1;
		}
		now = plan->rule.blocks->objects[leg->to];
	}
	routes->counts[pair] = (uint8_t)count;
	return TR_OK;
}

static enum tr_status make_in_blocks(const struct plan *plan, struct plan_routes *routes,
				     struct tr_error *err)
{
	struct net_legs legs = {0};
	enum tr_status status = net_legs_open(&legs, plan->rule.blocks, err);

	for (uint32_t i = 0; status == TR_OK && i < plan->switches; i++)
		for (uint32_t j = 0; status == TR_OK && j < plan->switches; j++)
			status = route_in_blocks(plan, routes, i, j, &legs, err);
	net_legs_close(&legs);
	return status;
}

// --- by a rule

// The switches with one host each, on a port of its own behind those of the switch.
static enum tr_status one_host_each(const struct plan *plan, struct net_topology *topology,
				    struct tr_error *err)
{
	const uint32_t s = plan->switches;
	uint32_t ports = 0;
	struct net_builder builder;

	for (uint32_t i = 0; i < s; i++)
		ports = plan->ports[i] > ports ? plan->ports[i] : ports;
	if (ports + 1 > NET_PORTS_MAX)
		return tr_fail(err, "expected switches of less than %u ports", NET_PORTS_MAX);
	const struct net_size size = {.hosts = s,
				      .switches = s,
				      .ports = ports + 1,
				      .cables = (uint64_t)s + plan->cable_count};

	if (net_build_open(&builder, topology, size, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < s; i++)
		net_build_host(&builder, i, i, ports);
	for (uint32_t c = 0; c < plan->cable_count; c++) {
		const struct net_end *ends = plan->cables[c].ends;

		net_build_cable(&builder, ends[0].node, ends[0].port, ends[1].node, ends[1].port);
	}
	return TR_OK;
}

// The cables between switches come behind those of the hosts.
static enum tr_status take_path(const struct plan *plan, struct plan_routes *routes, uint32_t from,
				uint32_t to, const struct net_path *path, struct tr_error *err)
{
	const size_t pair = (size_t)from * plan->switches + to;

	if (path->count > PLAN_STEPS_MAX + 2)
		return too_long(plan, from, to, err);
	routes->counts[pair] = (uint8_t)(path->count - 2);
	for (uint32_t i = 1; i + 1 < path->count; i++)
		routes->steps[pair * PLAN_STEPS_MAX + i - 1] = path->links[i] - 2 * plan->switches;
	return TR_OK;
}

static enum tr_status follow_all(const struct plan *plan, struct plan_routes *routes,
				 const struct net_graph *graph, const struct net_routes *found,
				 struct tr_error *err)
{
	uint16_t *ports = calloc((size_t)found->longest + 1, sizeof(*ports));
	struct net_path path = {.links = calloc((size_t)found->longest + 2, sizeof(*path.links))};
	enum tr_status status = ports && path.links ? TR_OK : tr_no_memory(err, "a route");

	for (uint32_t i = 0; status == TR_OK && i < plan->switches; i++)
		for (uint32_t j = 0; status == TR_OK && j < plan->switches; j++) {
			uint32_t count;

			routes->counts[(size_t)i * plan->switches + j] = 0;
			if (i == j)
				continue;
			count = net_routes_get(found, i, j, ports);
			if (count == NET_NO_ROUTE ||
			    !net_path_follow(&path, graph, i, j, ports, count))
				status = plan_routes_apart(plan, i, j, err);
			else
				status = take_path(plan, routes, i, j, &path, err);
		}
	free(ports);
	free(path.links);
	return status;
}

static enum tr_status make_by_rule(const struct plan *plan, struct plan_routes *routes,
				   struct tr_error *err)
{
	struct net_topology topology = {0};
	struct net_graph graph = {0};
	struct net_routes found = {0};
	enum tr_status status = one_host_each(plan, &topology, err);

	if (status == TR_OK)
		status = net_graph_open(&graph, &topology, err);
	if (status == TR_OK)
		status = net_routing_make(&found, &topology, plan->rule.text, err);
	if (status == TR_OK && found.lanes > 1)
		status = tr_fail(err,
				 "%s: routes that need lanes cannot be planned; a rule of one "
				 "lane, such as updown or dimension, can",
				 plan->rule.text);
	if (status == TR_OK)
		status = net_routes_need_one(&found, "a plan needs", err);
	if (status == TR_OK)
		status = follow_all(plan, routes, &graph, &found, err);
	net_routes_clear(&found);
	net_graph_close(&graph);
	net_topology_clear(&topology);
	return status;
}

enum tr_status plan_routes_make(const struct plan *plan, struct plan_routes *routes,
				struct tr_error *err)
{
	return plan->rule.text ? make_by_rule(plan, routes, err)
			       : make_in_blocks(plan, routes, err);
}

// --- which channels wait for one another?

// Which channels follow which: channels are few, so a table of bits would do, but lists are shorter
// to walk.
struct follows {
	uint32_t *first; // of a channel in next; channels + 1
	uint32_t *next;
	bool *used; // of a place in next: by a pair that has traffic
};

static uint32_t next_channel(const void *context, uint32_t channel, uint32_t *place)
{
	const struct follows *follows = context;
	const uint32_t at = follows->first[channel] + *place;

	if (at >= follows->first[channel + 1])
		return NET_NOBODY;
	(*place)++;
	return follows->next[at];
}

// Of a graph without cycles: each node comes behind those that it leads to.
static uint32_t longest_path(const struct net_components *components, const struct follows *follows,
			     uint32_t *lengths)
{
	uint32_t longest = 0;

	for (uint32_t i = 0; i < components->count; i++) {
		const uint32_t node = components->order[i];

		lengths[node] = 1;
		for (uint32_t e = follows->first[node]; e < follows->first[node + 1]; e++)
			if (follows->used[e] && lengths[follows->next[e]] >= lengths[node])
				lengths[node] = lengths[follows->next[e]] + 1;
		longest = lengths[node] > longest ? lengths[node] : longest;
	}
	return longest;
}

static bool has_cycle(const struct net_components *components)
{
	for (uint32_t i = 0; i < components->count; i++)
		if (components->root[components->order[i]] != components->order[i])
			return true;
	return false;
}

static enum tr_status find_chain(const struct follows *follows, uint32_t channels, uint32_t *chain,
				 struct tr_error *err)
{
	const struct net_digraph graph = {channels, next_channel, follows};
	struct net_components components;
	uint32_t *lengths = calloc((size_t)channels + 1, sizeof(*lengths));
	enum tr_status status = net_components_open(&components, channels, err);

	if (!lengths)
		status = tr_no_memory(err, "the chains of channels");
	for (uint32_t k = 0; status == TR_OK && k < channels; k++)
		net_components_visit(&components, &graph, k);
	if (status == TR_OK)
		*chain = has_cycle(&components) ? PLAN_ENDLESS
						: longest_path(&components, follows, lengths);
	net_components_close(&components);
	free(lengths);
	return status;
}

enum tr_status plan_routes_chain(const struct plan *plan, const struct plan_routes *routes,
				 uint32_t *chain, struct tr_error *err)
{
	const size_t pairs = (size_t)plan->switches * plan->switches;
	const uint32_t channels = plan_channels(plan);
	struct follows follows = {calloc((size_t)channels + 2, sizeof(uint32_t)), NULL, NULL};
	size_t total = 0;
	enum tr_status status = TR_ERROR;

	for (size_t p = 0; follows.first && p < pairs; p++)
		for (uint32_t i = 0; i + 1 < routes->counts[p]; i++, total++)
			follows.first[routes->steps[p * PLAN_STEPS_MAX + i] + 1]++;
	follows.next = calloc(total + 1, sizeof(uint32_t));
	follows.used = calloc(total + 1, sizeof(bool));
	if (!follows.first || !follows.next || !follows.used)
		(void)tr_no_memory(err, "the dependencies of channels");
	else {
		for (uint32_t k = 0; k < channels; k++)
			follows.first[k + 1] += follows.first[k];
		for (size_t p = 0; p < pairs; p++)
			for (uint32_t i = 0; i + 1 < routes->counts[p]; i++) {
				const uint32_t *step = routes->steps + p * PLAN_STEPS_MAX + i;

				follows.used[follows.first[step[0]]] = plan->between[p] > 0;
				follows.next[follows.first[step[0]]++] = step[1];
			}
		for (uint32_t k = channels; k > 0; k--)
			follows.first[k] = follows.first[k - 1];
		follows.first[0] = 0;
		status = find_chain(&follows, channels, chain, err);
	}
	free(follows.first);
	free(follows.next);
	free(follows.used);
	return status;
}
