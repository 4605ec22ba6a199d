// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routings/reroutes.h"

#include <stdlib.h>
#include <string.h>

#include "net/routes/choices.h"
#include "net/routings/network_parts.h"
#include "net/topology/adapters.h"

// A state of the network, from a fault's begin or end on.
struct reroute_state {
	struct net_routes routes;
	bool *dead; // of each cable; then of each host: its cable is
};

static int reroutes_by_time(const void *a, const void *b)
{
	const int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

	return (left > right) - (left < right);
}

// The times at which something dies or returns, in order; returns how many.
static uint32_t reroutes_times(const struct net_setup *setup, int64_t *ticks)
{
	uint32_t count = 0, kept = 0;

	for (uint32_t i = 0; i < setup->fault_count; i++) {
		const struct net_fault *fault = &setup->faults[i];

		if (fault->kind == NET_FAULT_LOSS)
			continue;
		ticks[count++] = fault->from_ticks;
		if (fault->to_ticks < INT64_MAX)
			ticks[count++] = fault->to_ticks;
	}
	qsort(ticks, count, sizeof(*ticks), reroutes_by_time);
	for (uint32_t i = 0; i < count; i++)
		if (i == 0 || ticks[i] != ticks[i - 1])
			ticks[kept++] = ticks[i];
	return kept;
}

static bool reroutes_kills(const struct net_topology *topology, const struct net_fault *fault,
			   uint32_t cable)
{
	const struct net_end *ends = topology->cables[cable].ends;
	const uint32_t node = net_fault_node(topology, fault);

	if (node == NET_NOBODY)
		return fault->kind == NET_FAULT_CABLE && cable == fault->number;
	return ends[0].node == node || ends[1].node == node;
}

// What is dead after a tick.
static void reroutes_look(const struct net_setup *setup, int64_t ticks, bool *dead)
{
	const struct net_topology *topology = setup->topology;

	for (uint32_t i = 0; i < setup->fault_count; i++) {
		const struct net_fault *fault = &setup->faults[i];

		if (fault->from_ticks > ticks || fault->to_ticks <= ticks)
			continue;
		for (uint32_t cable = 0; cable < topology->cable_count; cable++)
			dead[cable] = dead[cable] || reroutes_kills(topology, fault, cable);
	}
	for (uint32_t cable = 0; cable < topology->cable_count; cable++)
		for (int end = 0; end < 2 && dead[cable]; end++)
			if (topology->cables[cable].ends[end].node < topology->hosts)
				dead[topology->cable_count +
				     topology->cables[cable].ends[end].node] = true;
}

// ---- failover: the ways that a pair has, without those that are dead

struct failover {
	const struct net_routes *intact;
	const bool *dead; // of each cable
	struct net_routes_ways ways;
	struct net_routes_form form;
};

// Whether nothing is dead on the way from a start.
static bool failover_lives(const struct failover *failover, uint32_t place, uint32_t destination)
{
	const struct net_routes *intact = failover->intact;
	struct net_branch branches[NET_PORTS_MAX];

	while (intact->form->ways->branches(intact->state, place, destination, branches) > 0) {
		if (failover->dead[branches[0].link / 2])
			return false;
		place = branches[0].next;
	}
	return true;
}

// The way that a packet would take, or the next one that lives; behind the last comes the first.
static uint32_t failover_get_way(const void *state, uint32_t source, uint32_t destination,
				 uint32_t way, uint16_t *steps)
{
	const struct failover *failover = state;
	const struct net_routes *intact = failover->intact;
	const struct net_routes_ways *ways = intact->form->ways;
	const uint32_t most = ways->starts(intact->state);
	uint32_t n;

	if (ways->start(intact->state, source, destination, 0) == NET_NO_ROUTE) // no switch
		return ways->nth(intact->state, source, destination, 0, steps);
	n = ways->draw(intact->state, source, destination, way);
	for (uint32_t i = 0; i < most; i++, n = (n + 1) % most) {
		const uint32_t place = ways->start(intact->state, source, destination, n);

		if (place != NET_NO_ROUTE && failover_lives(failover, place, destination))
			return ways->nth(intact->state, source, destination, n, steps);
	}
	return NET_NO_ROUTE;
}

static uint32_t failover_get(const void *state, uint32_t source, uint32_t destination,
			     uint16_t *steps)
{
	return failover_get_way(state, source, destination, 0, steps);
}

static enum tr_status failover_make(struct net_routes *routes, const struct net_routes *intact,
				    const bool *dead, struct tr_error *err)
{
	struct failover *failover = calloc(1, sizeof(*failover));

	if (!failover)
		return tr_no_memory(err, "routes");
	failover->intact = intact;
	failover->dead = dead;
	failover->ways.get = failover_get_way;
	failover->form = (struct net_routes_form){failover_get, free, &failover->ways};
	*routes = *intact;
	routes->form = &failover->form;
	routes->state = failover;
	routes->by_switch = false;
	return TR_OK;
}

// ---- the states of the network

// Whether the run can go from the setup's routes to these. Where no part has two hosts there are
// none, and no ways of theirs.
static enum tr_status reroutes_check(const struct net_routes *intact,
				     const struct net_routes *routes, struct tr_error *err)
{
	if (!intact->choices == !routes->choices &&
	    (intact->spread == routes->spread || !routes->form || !routes->form->ways) &&
	    (!intact->choices || net_choices_empty_needed(intact->choices) ==
					 net_choices_empty_needed(routes->choices)))
		return TR_OK;
	return tr_fail(err, "its routes are of another form then");
}

static enum tr_status reroutes_make_part(void *context, struct net_routes *routes,
					 const struct net_topology *part, struct tr_error *err)
{
	return net_routing_make(routes, part, context, err);
}

// The routes by a rule of what dead cables leave of the network.
static enum tr_status reroutes_make(struct net_routes *routes, const struct net_setup *setup,
				    const bool *dead, const char *rule, struct tr_error *err)
{
	struct net_parts parts = {.topology = setup->topology,
				  .dead = dead,
				  .intact = setup->routes,
				  .make = reroutes_make_part,
				  .context = (void *)rule};
	uint32_t *of = net_parts_find(setup->topology, dead, &parts.count, err);
	enum tr_status status = TR_ERROR;

	parts.of = of;
	if (of)
		status = net_parts_route(routes, &parts, err);
	free(of);
	return status;
}

// The routes of a state: those of an equal one before it, or new ones.
static enum tr_status reroutes_route(struct reroutes *reroutes, const struct net_setup *setup,
				     const char *rule, uint32_t number, struct tr_error *err)
{
	const size_t bytes = setup->topology->cable_count + setup->topology->hosts;
	struct reroute_state *state = &reroutes->states[number];
	struct net_reroute *reroute = &reroutes->list[number];
	struct tr_error why;

	reroute->cut = state->dead + setup->topology->cable_count;
	reroute->keeps = !rule;
	if (!memchr(state->dead, true, bytes)) {
		reroute->routes = setup->routes;
		return TR_OK;
	}
	for (uint32_t i = 0; i < number; i++)
		if (memcmp(reroutes->states[i].dead, state->dead, bytes) == 0) {
			reroute->routes = reroutes->list[i].routes;
			return TR_OK;
		}
	reroute->routes = &state->routes;
	if (!rule)
		return failover_make(&state->routes, setup->routes, state->dead, err);
	if (reroutes_make(&state->routes, setup, state->dead, rule, &why) == TR_OK &&
	    reroutes_check(setup->routes, &state->routes, &why) == TR_OK)
		return TR_OK;
	return tr_fail(err,
		       "--fault reroute: %s cannot route what fault number %u in time leaves of "
		       "the network: %s; updown, shortest, lash, dfsssp and nue route any",
		       rule, number + 1, why.text);
}

// Choices of one run have as many lanes as those of it that have most.
static enum tr_status reroutes_widen(const struct reroutes *reroutes, const struct net_setup *setup,
				     struct tr_error *err)
{
	uint32_t lanes = net_choices_lanes(setup->routes->choices);
	enum tr_status status;

	for (uint32_t i = 0; i < reroutes->count; i++)
		if (net_choices_lanes(reroutes->list[i].routes->choices) > lanes)
			lanes = net_choices_lanes(reroutes->list[i].routes->choices);
	status = net_choices_widen(setup->routes->state, lanes, err);
	for (uint32_t i = 0; status == TR_OK && i < reroutes->count; i++)
		status = net_choices_widen(reroutes->list[i].routes->state, lanes, err);
	return status;
}

enum tr_status reroutes_open(struct reroutes *reroutes, const struct net_setup *setup,
			     const char *rule, int64_t delay_ticks, struct tr_error *err)
{
	const size_t bytes = setup->topology->cable_count + setup->topology->hosts;
	int64_t *ticks = calloc(2 * (size_t)setup->fault_count + 1, sizeof(*ticks));
	const uint32_t count = ticks ? reroutes_times(setup, ticks) : 0;
	enum tr_status status = TR_OK;

	*reroutes = (struct reroutes){0};
	reroutes->states = calloc((size_t)count + 1, sizeof(*reroutes->states));
	reroutes->list = calloc((size_t)count + 1, sizeof(*reroutes->list));
	if (!ticks || !reroutes->states || !reroutes->list)
		status = tr_no_memory(err, "routes");
	else if (count == 0)
		status = tr_fail(err, "--fault %s has no effect: nothing dies",
				 rule ? "reroute" : "failover");
	for (uint32_t i = 0; i < count && status == TR_OK; i++) {
		struct reroute_state *state = &reroutes->states[i];

		if (ticks[i] > INT64_MAX - delay_ticks)
			break;
		reroutes->count++;
		reroutes->list[i].ticks = ticks[i] + delay_ticks;
		state->dead = calloc(bytes + 1, sizeof(*state->dead));
		if (!state->dead) {
			status = tr_no_memory(err, "routes");
			break;
		}
		reroutes_look(setup, ticks[i], state->dead);
		status = reroutes_route(reroutes, setup, rule, i, err);
	}
	free(ticks);
	return status == TR_OK && setup->routes->choices ? reroutes_widen(reroutes, setup, err)
							 : status;
}

void reroutes_close(struct reroutes *reroutes)
{
	for (uint32_t i = 0; i < reroutes->count; i++) {
		net_routes_clear(&reroutes->states[i].routes);
		free(reroutes->states[i].dead);
	}
	free(reroutes->states);
	free(reroutes->list);
	*reroutes = (struct reroutes){0};
}

enum tr_status reroutes_find_cycle(const struct reroutes *reroutes, const struct net_setup *setup,
				   struct net_cycle *cycle, int64_t *ticks, struct tr_error *err)
{
	const struct net_routes most = {.lanes = net_setup_lanes(setup), .changes_lane = true};
	const bool anew = reroutes->count > 0 && reroutes->list[0].ticks < INT64_MIN / 2;
	struct net_waits *waits = NULL;
	struct net_graph graph;
	enum tr_status status = net_graph_open(&graph, setup->topology, err);

	*cycle = (struct net_cycle){0};
	*ticks = INT64_MIN;
	if (status == TR_OK)
		waits = net_waits_open(&graph, &most, err);
	status = waits ? TR_OK : TR_ERROR;
	if (waits && !anew)
		status = net_waits_take_routes(waits, setup->routes, err);
	if (status == TR_OK)
		status = net_waits_search(waits, NULL, cycle, err);
	for (uint32_t i = 0; status == TR_OK && cycle->count == 0 && i < reroutes->count; i++) {
		const struct net_routes *routes = reroutes->list[i].routes;

		*ticks = reroutes->list[i].ticks;
		if (routes->form)
			status = net_waits_take_routes(waits, routes, err);
		if (status == TR_OK)
			status = net_waits_search(waits, reroutes->states[i].dead, cycle, err);
	}
	net_waits_close(waits);
	net_graph_close(&graph);
	return status;
}
