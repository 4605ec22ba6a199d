// SPDX-License-Identifier: GPL-3.0-or-later
// Ways without a common cable or switch, on random networks: as many as a plain search for
// augmenting paths finds (Menger), on small networks together as short as the best set of all
// simple ways, and by failover the next one that is whole. FLIT_LONG=1 tries many more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "routings_bed.h"

#include "net/engine.h"
#include "net/routings/reroutes.h"
#include "net/routings/routing.h"

#define WAYS 4u
#define SMALL 7u // switches of networks of which all ways are tried
#define NODES (2u * ROUTINGS_SWITCHES)

// ---- how many there are: capacities in a matrix, a depth-first search for each further way

struct disjoint_flow {
	uint32_t room[NODES][NODES];
	bool met[NODES];
	uint32_t nodes;
	uint32_t to;
};

static bool push(struct disjoint_flow *flow, uint32_t at)
{
	if (at == flow->to)
		return true;
	flow->met[at] = true;
	for (uint32_t next = 0; next < flow->nodes; next++) {
		if (flow->room[at][next] == 0 || flow->met[next] || !push(flow, next))
			continue;
		flow->room[at][next]--;
		flow->room[next][at]++;
		return true;
	}
	return false;
}

static uint32_t count_ways(const struct routings_bed *bed, uint32_t from, uint32_t to,
			   bool by_switch)
{
	static struct disjoint_flow flow;
	const uint32_t switches = bed->topology.switches;
	uint32_t count = 0;

	flow = (struct disjoint_flow){.nodes = 2 * switches, .to = 2 * to};
	for (uint32_t at = 0; at < switches; at++) {
		flow.room[2 * at][2 * at + 1] = by_switch ? 1 : ROUTINGS_LINKS;
		for (uint32_t port = 0; port < ROUTINGS_PORTS; port++)
			if (routings_peer(bed, at, port) >= 0)
				flow.room[2 * at + 1][2 * (uint32_t)routings_peer(bed, at, port)]++;
	}
	while (push(&flow, 2 * from + 1)) {
		memset(flow.met, 0, sizeof(flow.met));
		count++;
	}
	return count;
}

// ---- the shortest set: each simple way that has nothing in common with those before it, tried

struct disjoint_try {
	const struct routings_bed *bed;
	uint32_t from;
	uint32_t to;
	uint32_t wanted;
	uint32_t best;
	bool by_switch;
	bool cables[ROUTINGS_SWITCHES * ROUTINGS_PORTS]; // of all ways so far
	bool passed[ROUTINGS_SWITCHES];			 // by all, with by_switch
	bool own[ROUTINGS_SWITCHES];			 // by this one
};

static void try_ways(struct disjoint_try *with, uint32_t at, uint32_t done, uint32_t length)
{
	const uint32_t hosts = with->bed->topology.hosts;

	if (length >= with->best)
		return;
	if (at == with->to && done + 1 == with->wanted) {
		with->best = length;
		return;
	}
	if (at == with->to) {
		bool own[ROUTINGS_SWITCHES];

		memcpy(own, with->own, sizeof(own));
		memset(with->own, 0, sizeof(own));
		try_ways(with, with->from, done + 1, length);
		memcpy(with->own, own, sizeof(own));
		return;
	}
	with->own[at] = true;
	for (uint32_t port = 0; port < ROUTINGS_PORTS; port++) {
		const struct net_peer *peer = net_graph_peer(&with->bed->graph, at + hosts, port);
		uint32_t next;
		bool inner;

		if (!net_graph_is_switch(&with->bed->graph, peer->node))
			continue;
		next = peer->node - hosts;
		inner = with->by_switch && next != with->to;
		if (with->own[next] || with->passed[next] || with->cables[peer->link / 2])
			continue;
		with->cables[peer->link / 2] = true;
		with->passed[next] = inner;
		try_ways(with, next, done, length + 1);
		with->cables[peer->link / 2] = false;
		with->passed[next] = false;
	}
	with->own[at] = false;
}

static uint32_t shortest_sum(const struct routings_bed *bed, uint32_t from, uint32_t to,
			     uint32_t wanted, bool by_switch)
{
	static struct disjoint_try with;

	with = (struct disjoint_try){.bed = bed,
				     .from = from,
				     .to = to,
				     .wanted = wanted,
				     .best = UINT32_MAX,
				     .by_switch = by_switch};
	try_ways(&with, from, 0, 0);
	return with.best;
}

// ---- checks

// Follows a way, marks what it has used, and returns its cables between switches. Each may be used
// once.
static uint32_t follow(const struct routings_bed *bed, uint32_t source, uint32_t destination,
		       const uint16_t *steps, uint32_t count, bool by_switch, bool *cables,
		       bool *switches)
{
	const uint32_t home = routings_home(bed, destination);
	uint32_t node = net_graph_peer(&bed->graph, source, 0)->node;

	assert_true(count >= 1);
	for (uint32_t i = 0; i < count; i++) {
		const struct net_peer *peer = net_graph_peer(&bed->graph, node,
							     net_step_port(steps[i]));

		assert_int_not_equal(peer->node, NET_NOBODY);
		if (i + 1 < count) {
			assert_false(cables[peer->link / 2]);
			cables[peer->link / 2] = true;
		}
		if (by_switch && i + 2 < count) {
			assert_false(switches[peer->node - bed->topology.hosts]);
			switches[peer->node - bed->topology.hosts] = true;
		}
		node = peer->node;
	}
	assert_int_equal(node, destination);
	assert_false(switches[home]);
	return count - 1;
}

static void check_pair(const struct routings_bed *bed, const struct net_routes *routes,
		       uint32_t source, uint32_t destination, uint32_t wanted, bool by_switch)
{
	const uint32_t from = routings_home(bed, source), to = routings_home(bed, destination);
	bool cables[ROUTINGS_SWITCHES * ROUTINGS_PORTS] = {false};
	bool switches[ROUTINGS_SWITCHES] = {false};
	uint16_t steps[ROUTINGS_SWITCHES + 1];
	uint32_t before = 0, sum = 0, found = 0, count;

	for (; (count = routes->form->ways->nth(routes->state, source, destination, found,
						steps)) != NET_NO_ROUTE;
	     found++) {
		const uint32_t length = follow(bed, source, destination, steps, count, by_switch,
					       cables, switches);

		assert_true(length >= before);
		before = length;
		sum += length;
	}
	if (from == to) {
		assert_int_equal(found, 1);
		assert_int_equal(sum, 0);
		return;
	}
	count = count_ways(bed, from, to, by_switch);
	assert_int_equal(found, count < wanted ? count : wanted);
	if (bed->topology.switches <= SMALL && found <= 3)
		assert_int_equal(sum, shortest_sum(bed, from, to, found, by_switch));
}

static void ways_of_random_networks(void **state)
{
	static struct routings_bed bed;
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 41, "routings");
	for (unsigned round = 0; round < routings_rounds(); round++) {
		const uint32_t wanted = 1 + round % WAYS;
		const bool by_switch = round / WAYS % 2 != 0;
		struct net_routes routes;
		char rule[60];

		routings_draw(&bed, &random);
		snprintf(rule, sizeof(rule), "disjoint:paths=%u,apart=%s,lanes=64", wanted,
			 by_switch ? "switches" : "cables");
		assert_int_equal(net_routing_make(&routes, &bed.topology, rule, NULL), TR_OK);
		for (uint32_t pair = 0; pair < routes.hosts * routes.hosts; pair++)
			check_pair(&bed, &routes, pair / routes.hosts, pair % routes.hosts, wanted,
				   by_switch);
		net_routes_clear(&routes);
		net_graph_close(&bed.graph);
	}
}

// ---- failover

static bool is_whole(const struct routings_bed *bed, uint32_t source, const uint16_t *steps,
		     uint32_t count, uint32_t dead)
{
	uint32_t node = net_graph_peer(&bed->graph, source, 0)->node;

	for (uint32_t i = 0; i + 1 < count; i++) {
		const struct net_peer *peer = net_graph_peer(&bed->graph, node,
							     net_step_port(steps[i]));

		if (peer->link / 2 == dead)
			return false;
		node = peer->node;
	}
	return true;
}

// Each number of a packet: the way is that of the intact routes if it is whole, else the next one.
static void check_failover(const struct routings_bed *bed, const struct net_routes *intact,
			   const struct net_routes *routes, uint32_t dead)
{
	const struct net_routes_ways *ways = intact->form->ways;
	uint16_t steps[ROUTINGS_SWITCHES + 1], expected[ROUTINGS_SWITCHES + 1];

	for (uint32_t pair = 0; pair < intact->hosts * intact->hosts; pair++) {
		const uint32_t source = pair / intact->hosts, to = pair % intact->hosts;
		const uint32_t way = pair * 7;
		const uint32_t count = net_routes_get_way(routes, source, to, way, steps);
		uint32_t found = NET_NO_ROUTE, n = 0, begin = NET_NO_ROUTE, most = 0;
		uint32_t drawn = net_routes_get_way(intact, source, to, way, expected);

		assert_int_not_equal(drawn, NET_NO_ROUTE);
		while (ways->nth(intact->state, source, to, most, steps) != NET_NO_ROUTE) {
			uint16_t other[ROUTINGS_SWITCHES + 1];

			drawn = net_routes_get_way(intact, source, to, way, other);
			if (drawn == ways->nth(intact->state, source, to, most, expected) &&
			    memcmp(other, expected, drawn * sizeof(*other)) == 0)
				begin = most;
			most++;
		}
		assert_int_not_equal(begin, NET_NO_ROUTE);
		for (; n < most && found == NET_NO_ROUTE; n++) {
			found = ways->nth(intact->state, source, to, (begin + n) % most, expected);
			if (!is_whole(bed, source, expected, found, dead))
				found = NET_NO_ROUTE;
		}
		assert_int_equal(net_routes_get_way(routes, source, to, way, steps), found);
		assert_int_equal(count, found);
		if (found != NET_NO_ROUTE)
			assert_memory_equal(steps, expected, found * sizeof(*steps));
	}
}

static void ways_that_are_dead(void **state)
{
	static const char *const per[] = {"packet", "flow", "first"};
	static struct routings_bed bed;
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 42, "routings");
	for (unsigned round = 0; round < routings_rounds(); round++) {
		struct net_fault fault = {
			.kind = NET_FAULT_CABLE, .from_ticks = 10, .to_ticks = 20};
		struct net_setup setup = {
			.topology = &bed.topology, .faults = &fault, .fault_count = 1};
		struct reroutes reroutes;
		struct net_routes routes;
		char rule[60];

		routings_draw(&bed, &random);
		snprintf(rule, sizeof(rule), "disjoint:paths=3,per=%s", per[round % 3]);
		assert_int_equal(net_routing_make(&routes, &bed.topology, rule, NULL), TR_OK);
		setup.routes = &routes;
		fault.number = bed.topology.hosts +
			       (uint32_t)tr_random_below(&random, bed.topology.cable_count -
									  bed.topology.hosts + 1);
		if (fault.number < bed.topology.cable_count) {
			assert_int_equal(reroutes_open(&reroutes, &setup, NULL, 3, NULL), TR_OK);
			assert_int_equal(reroutes.count, 2);
			assert_int_equal(reroutes.list[0].ticks, 13);
			check_failover(&bed, &routes, reroutes.list[0].routes, fault.number);
			assert_ptr_equal(reroutes.list[1].routes, &routes);
			reroutes_close(&reroutes);
		}
		net_routes_clear(&routes);
		net_graph_close(&bed.graph);
	}
}

// The hypercube of d dimensions has d ways between any two corners, the grid's corners two.
static void ways_that_are_known(void **state)
{
	static const struct {
		const char *network;
		uint32_t ways, sum;
	} known[] = {
		{"hypercube:4", 4, 4 + 4 + 4 + 4}, {"mesh:4x4", 2, 6 + 6}, {"ring:6", 2, 1 + 5}};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		struct net_topology topology;
		struct net_routes routes;
		uint16_t steps[32];
		uint32_t found = 0, sum = 0, count;

		assert_int_equal(net_topology_make(&topology, known[i].network, NULL), TR_OK);
		assert_int_equal(net_routing_make(&routes, &topology,
						  "disjoint:paths=16,apart=switches", NULL),
				 TR_OK);
		for (; (count = routes.form->ways->nth(routes.state, 0, topology.hosts - 1, found,
						       steps)) != NET_NO_ROUTE;
		     found++)
			sum += count - 1;
		assert_int_equal(found, known[i].ways);
		assert_int_equal(sum, known[i].sum);
		net_routes_clear(&routes);
		net_topology_clear(&topology);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ways_of_random_networks),
		cmocka_unit_test(ways_that_are_dead),
		cmocka_unit_test(ways_that_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
