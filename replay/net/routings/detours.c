// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routings/detours.h"

#include <stdlib.h>

#include "net/routings/detours_costs.h"
#include "value/philox.h"

// A place is a leg, a level, which the lane follows, and a switch. Legs: to the destination, to a
// waypoint, or to the destination still inside the source's group, where the packet may turn.

#define LEG_LAST 0u
#define LEG_TO(waypoint) ((waypoint) + 1u)
#define LEG_TURNING(detours) ((detours)->groups + 1u)

struct detours_place {
	uint32_t leg;
	uint32_t level;
	uint32_t at;
};

static uint32_t detours_pack(const struct net_detours *detours, struct detours_place place)
{
	return (place.leg * detours->levels + place.level) * detours->switches + place.at;
}

static struct detours_place detours_unpack(const struct net_detours *detours, uint32_t place)
{
	const uint32_t leg = place / detours->switches / detours->levels;

	return (struct detours_place){leg, place / detours->switches % detours->levels,
				      place % detours->switches};
}

// A switch's costs to a place's goal. destination: a switch.
static const uint16_t *detours_costs(const struct net_detours *detours, uint32_t leg,
				     uint32_t destination)
{
	return leg == LEG_LAST || leg == LEG_TURNING(detours)
		       ? detours->cost + (size_t)destination * detours->switches
		       : detours->group_cost + (size_t)(leg - 1) * detours->switches;
}

// The place behind a cable.
static uint32_t detours_next(const struct net_detours *detours, struct detours_place place,
			     uint32_t to, const uint16_t *costs)
{
	const bool crosses = net_detours_crosses(detours, place.at, to);

	if (detours->kind.again && place.leg == LEG_LAST && place.level == 0)
		place.leg = LEG_TURNING(detours);
	if (place.leg == LEG_TURNING(detours) ? crosses : costs[to] == 0)
		place.leg = LEG_LAST;
	place.level += detours->by_hop || crosses;
	place.at = to;
	return detours_pack(detours, place);
}

static uint32_t detours_branches(const void *state, uint32_t number, uint32_t destination,
				 struct net_branch branches[NET_PORTS_MAX])
{
	const struct net_detours *detours = state;
	const struct detours_place place = detours_unpack(detours, number);
	const uint16_t *costs = detours_costs(detours, place.leg,
					      net_graph_home(&detours->graph, destination));
	const uint32_t node = place.at + detours->graph.hosts;
	uint32_t count = 0;

	for (uint32_t port = 0; port < net_graph_ports(&detours->graph, node); port++) {
		const struct net_peer *peer = net_graph_peer(&detours->graph, node, port);
		const uint32_t to = peer->node - detours->graph.hosts;

		if (!net_graph_is_switch(&detours->graph, peer->node) ||
		    costs[to] + net_detours_cable(detours, place.at, to) != costs[place.at])
			continue;
		branches[count++] = (struct net_branch){
			port, peer->link, detours_next(detours, place, to, costs),
			place.level < detours->lanes ? place.level : detours->lanes - 1};
	}
	return count;
}

// Whether a detour from one switch to another may lead over a waypoint: neither's.
static bool detours_leads(const struct net_detours *detours, uint32_t from, uint32_t to,
			  uint32_t waypoint)
{
	return from != to && waypoint != net_detours_group(detours, from) &&
	       waypoint != net_detours_group(detours, to) &&
	       detours->group_cost[(size_t)waypoint * detours->switches + from] != NET_FAR;
}

// How many waypoints there are between two switches.
static uint32_t detours_count(const struct net_detours *detours, uint32_t from, uint32_t to)
{
	const uint32_t own = net_detours_group(detours, from) == net_detours_group(detours, to) ? 1
												: 2;

	return from == to || detours->groups < own ? 0 : detours->groups - own;
}

// The nth of them.
static uint32_t detours_waypoint(const struct net_detours *detours, uint32_t from, uint32_t to,
				 uint32_t n)
{
	const uint32_t a = net_detours_group(detours, from), b = net_detours_group(detours, to);
	const uint32_t low = a < b ? a : b, high = a < b ? b : a;

	n += n >= low;
	return n + (low != high && n >= high);
}

static uint32_t detours_starts(const void *state)
{
	const struct net_detours *detours = state;

	return detours->kind.detours ? detours->groups + detours->kind.chooses : 1;
}

static uint32_t detours_start(const void *state, uint32_t source, uint32_t destination, uint32_t n)
{
	const struct net_detours *detours = state;
	const uint32_t from = net_graph_home(&detours->graph, source),
		       to = net_graph_home(&detours->graph, destination);
	const bool direct = !detours->kind.detours || detours->kind.chooses ||
			    detours_count(detours, from, to) == 0;

	if (from == NET_NOBODY || to == NET_NOBODY)
		return NET_NO_ROUTE;
	if (n == 0 && direct)
		return detours_pack(detours, (struct detours_place){LEG_LAST, 0, from});
	n -= detours->kind.chooses;
	if (!detours->kind.detours || !detours_leads(detours, from, to, n))
		return NET_NO_ROUTE;
	return detours_pack(detours, (struct detours_place){LEG_TO(n), 0, from});
}

static uint32_t detours_turns(const void *state, uint32_t number, uint32_t destination, uint32_t n)
{
	const struct net_detours *detours = state;
	const struct detours_place place = detours_unpack(detours, number);

	if (place.leg != LEG_TURNING(detours) || n >= detours->groups ||
	    !detours_leads(detours, place.at, net_graph_home(&detours->graph, destination), n))
		return NET_NO_ROUTE;
	return detours_pack(detours, (struct detours_place){LEG_TO(n), 1, place.at});
}

// The steps from a place on; returns their number.
static uint32_t detours_walk(const struct net_detours *detours, uint32_t place,
			     uint32_t destination, struct net_choice *choice, uint16_t *steps)
{
	struct net_branch branches[NET_PORTS_MAX];
	uint32_t count = 0, lane = 0, found;

	while ((found = detours_branches(detours, place, destination, branches)) > 0) {
		const uint32_t turn = place / detours->switches / detours->levels != LEG_LAST
					      ? detours->switches
					      : 0;
		const uint32_t chosen = net_choice_make(choice, place % detours->switches + turn,
							branches, found);

		lane = branches[chosen].lane;
		steps[count++] = net_step(branches[chosen].port, lane);
		place = branches[chosen].next;
	}
	steps[count++] = net_step(net_graph_peer(&detours->graph, destination, 0)->port, lane);
	return count;
}

// Draw number n of a packet, below count.
static uint32_t detours_draw(const struct net_detours *detours, const struct net_choosing *of,
			     uint32_t n, uint32_t count)
{
	const uint32_t counter[4] = {of->source, of->destination, UINT32_MAX - n, of->way};
	uint32_t block[4];

	philox_block(counter, detours->ties.key, block);
	return (uint32_t)((uint64_t)block[0] * count >> 32);
}

static uint32_t detours_get_way(const void *state, uint32_t source, uint32_t destination,
				uint32_t way, uint16_t *steps)
{
	const struct net_detours *detours = state;
	const uint32_t from = net_graph_home(&detours->graph, source),
		       to = net_graph_home(&detours->graph, destination);
	const struct net_choosing of = {source, destination, from, 0, way};
	struct detours_place place = {LEG_LAST, 0, from};
	struct net_choice choice;

	if (from == NET_NOBODY || to == NET_NOBODY)
		return net_graph_peer(&detours->graph, source, 0)->node == destination
			       ? 0
			       : NET_NO_ROUTE;
	if (detours->kind.detours && !detours->kind.chooses && detours_count(detours, from, to) > 0)
		place.leg = LEG_TO(detours_waypoint(
			detours, from, to,
			detours_draw(detours, &of, 0, detours_count(detours, from, to))));
	net_choice_start(&choice, &detours->ties, source, destination, from, way);
	return detours_walk(detours, detours_pack(detours, place), destination, &choice, steps);
}

// Whether a packet on its minimal way has left its source's group, to which it may have come back:
// then no way inside leads to where it is.
static bool detours_left(const struct net_detours *detours, const struct net_choosing *of)
{
	const uint16_t *costs = detours->cost + (size_t)of->at * detours->switches;

	return net_detours_crossings(detours, costs[net_graph_home(&detours->graph, of->source)]) >
	       0;
}

// Where a packet chooses: at its first switch, and again at others of the source's group.
static uint32_t detours_choose(const void *state, const struct net_choosing *of, uint32_t n,
			       uint16_t *steps)
{
	const struct net_detours *detours = state;
	const uint32_t to = net_graph_home(&detours->graph, of->destination);
	const uint32_t count = detours_count(detours, of->at, to);
	const bool again = of->hops > 0;
	struct detours_place place = {.level = again, .at = of->at};
	struct net_choice choice;

	if (count == 0 || (again && (!detours->kind.again || detours_left(detours, of))))
		return 0;
	place.leg = LEG_TO(detours_waypoint(
		detours, of->at, to, detours_draw(detours, of, (again ? 1u << 16 : 0) + n, count)));
	net_choice_start(&choice, &detours->ties, of->source, of->destination, of->at,
			 of->way + n + 1);
	return detours_walk(detours, detours_pack(detours, place), of->destination, &choice, steps);
}

static void detours_clear(void *state)
{
	struct net_detours *detours = state;

	net_graph_close(&detours->graph);
	net_ties_close(&detours->ties);
	free(detours->cost);
	free(detours->group_cost);
	free(detours);
}

// To a waypoint all go alike.
static bool detours_apart(const void *state, uint32_t number, uint32_t destination)
{
	const struct net_detours *detours = state;
	const struct detours_place place = detours_unpack(detours, number);

	(void)destination;
	return place.leg != LEG_LAST && place.leg != LEG_TURNING(detours);
}

// Makes them routes: what there is beside minimal ways depends on the kind.
static void detours_give(struct net_detours *detours, uint32_t hosts, struct net_routes *routes)
{
	const struct net_detours_kind *kind = &detours->kind;

	detours->ways = (struct net_routes_ways){.get = detours_get_way,
						 .start = detours_start,
						 .branches = detours_branches,
						 .starts = kind->detours ? detours_starts : NULL,
						 .turns = kind->again ? detours_turns : NULL,
						 .apart = kind->detours ? detours_apart : NULL,
						 .adapts = kind->chooses};
	detours->form = (struct net_routes_form){.clear = detours_clear, .ways = &detours->ways};
	*routes = (struct net_routes){
		.hosts = hosts, .longest = 1, .form = &detours->form, .state = detours};
}

// Whether a switch has no cable, as one that died and is still of its group.
static bool detours_is_alone(const struct net_detours *detours, uint32_t at)
{
	const uint32_t node = at + detours->graph.hosts;
	uint32_t cables = 0;

	for (uint32_t port = 0; port < net_graph_ports(&detours->graph, node); port++)
		cables += net_graph_peer(&detours->graph, node, port)->node != NET_NOBODY;
	return detours->group > 1 && cables == 0;
}

static enum tr_status detours_check_joined(const struct net_detours *detours, struct tr_error *err)
{
	for (uint32_t from = 0; from < detours->graph.hosts; from++)
		for (uint32_t to = 0; to < detours->graph.hosts; to++) {
			const uint32_t a = net_graph_home(&detours->graph, from),
				       b = net_graph_home(&detours->graph, to);
			const bool joined =
				a == NET_NOBODY || b == NET_NOBODY
					? net_graph_peer(&detours->graph, from, 0)->node == to
					: detours->cost[(size_t)b * detours->switches + a] !=
						  NET_FAR;

			if (from != to && !joined)
				return tr_fail(err, "no route from host %u to host %u", from, to);
		}
	for (uint32_t i = 0; detours->kind.detours && i < detours->switches * detours->groups; i++)
		if (detours->group_cost[i] == NET_FAR &&
		    !detours_is_alone(detours, i % detours->switches))
			return tr_fail(err, "no way from switch %u to switch %u",
				       i % detours->switches,
				       i / detours->switches * detours->group);
	return TR_OK;
}

// Finds how long the ways are, and their lanes. Where lanes rise between groups, a packet passes a
// cable inside one at most, between a lane's cables to other groups and the next's, if all of a
// group are joined: there are no cycles.
static enum tr_status detours_size(struct net_detours *detours, struct net_routes *routes,
				   const struct net_detouring *detouring, struct tr_error *err)
{
	struct net_detours_most most = net_detours_most(detours, detours->kind.detours, false);
	const uint32_t width = net_detours_width(detours);
	uint32_t needed;

	if (detours->kind.detours) {
		const struct net_detours_most first = net_detours_most(detours, detours->kind.again,
								       true);

		most.hops += first.hops + (detours->kind.again ? width : 0);
		most.crossings += first.crossings + detours->kind.again;
	}
	needed = detours->by_hop ? most.hops : most.crossings + 1;
	needed = needed > 0 ? needed : 1;
	detours->lanes = detouring->lanes > 0 && detouring->lanes < needed
				 ? (uint32_t)detouring->lanes
				 : needed;
	if (detours->lanes > NET_LANES_MAX)
		return tr_fail(err,
			       "needs %u lanes, and a link has at most %u; lanes=%u lets the "
			       "last be shared, which may deadlock",
			       needed, NET_LANES_MAX, NET_LANES_MAX);
	detours->levels = needed + 1;
	if (((uint64_t)detours->groups + 2) * detours->levels * detours->switches > UINT32_MAX)
		return tr_fail(err, "%u switches are too many for ways over each",
			       detours->switches);
	routes->longest = most.hops + 1;
	routes->lanes = detours->lanes;
	routes->changes_lane = detours->lanes > 1;
	routes->group = detours->group;
	routes->acyclic = detours->lanes == needed &&
			  (detours->by_hop || (detours->group > 1 && width <= 1));
	return TR_OK;
}

static enum tr_status detours_open(struct net_detours *detours, const struct net_topology *topology,
				   const struct net_detouring *detouring, struct tr_error *err)
{
	struct net_tying tying = detouring->tying;

	if (detours->kind.detours)
		tying.tie = detouring->per_flow ? NET_TIE_FLOW : NET_TIE_PACKET;
	detours->switches = topology->switches;
	detours->group = detouring->group > 0 ? (uint32_t)detouring->group : topology->group;
	if (detours->group == 0)
		detours->group = 1;
	if (detouring->group > topology->switches || topology->switches % detours->group != 0)
		return tr_fail(err, "group=%llu: expected a divisor of the %u switches",
			       (unsigned long long)detouring->group, topology->switches);
	detours->groups = topology->switches / detours->group;
	detours->by_hop = detouring->rise == NET_RISE_DEFAULT ? detours->group == 1
							      : detouring->rise == NET_RISE_HOP;
	if (detours->kind.again && (detours->group == 1 || detours->by_hop))
		return tr_fail(err,
			       "progressive=yes needs groups, and lanes that rise between them "
			       "(rise=group)");
	if (net_graph_open(&detours->graph, topology, err) != TR_OK ||
	    net_ties_open(&detours->ties, &detours->graph, &tying, err) != TR_OK ||
	    net_detours_measure(detours, err) != TR_OK)
		return TR_ERROR;
	return detours_check_joined(detours, err);
}

enum tr_status net_detours_make(struct net_routes *routes, const struct net_topology *topology,
				const struct net_detouring *detouring,
				const struct net_detours_kind *kind,
				const struct net_chooser *chooser, struct tr_error *err)
{
	struct net_detours *detours = calloc(1, sizeof(*detours));

	*routes = (struct net_routes){0};
	if (!detours)
		return tr_no_memory(err, "routes");
	detours->kind = *kind;
	detours_give(detours, topology->hosts, routes);
	if (detouring->lanes > NET_LANES_MAX)
		return tr_fail(err, "lanes=%llu: expected 0 to %u",
			       (unsigned long long)detouring->lanes, NET_LANES_MAX);
	if (detours_open(detours, topology, detouring, err) != TR_OK)
		return TR_ERROR;
	routes->spread = net_tie_spread(detours->ties.tie);
	routes->by_switch = !routes->spread && net_tie_by_switch(detours->ties.tie);
	if (chooser) {
		detours->chooser = *chooser;
		detours->chooser.get = detours_choose;
		routes->chooser = &detours->chooser;
	}
	return detours_size(detours, routes, detouring, err);
}
