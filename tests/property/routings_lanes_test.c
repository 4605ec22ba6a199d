// SPDX-License-Identifier: GPL-3.0-or-later
// Routes with a lane for each pair, on random networks and on ones whose number of lanes is known: every route leads to its
// host, is a shortest one where that is promised, and no worms wait for one another in a circle by link and lane.
// FLIT_LONG=1 tries many more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routings_bed.h"

#include "net/routings/routing.h"

// Lanes that some pair uses.
static uint32_t count_lanes(const struct net_routes *routes)
{
	bool used[NET_LANES_MAX] = {false};
	uint32_t lanes = 0;

	for (uint32_t pair = 0; pair < routes->hosts * routes->hosts; pair++)
		used[net_routes_lane(routes, pair / routes->hosts, pair % routes->hosts)] = true;
	for (uint32_t lane = 0; lane < NET_LANES_MAX; lane++)
		lanes += used[lane];
	return lanes;
}

static uint32_t check(const struct net_topology *topology, const struct net_graph *graph, const char *rule, bool shortest)
{
	struct net_routes routes;
	uint32_t lanes;

	assert_int_equal(net_routing_make(&routes, topology, rule, NULL), TR_OK);
	assert_null(routes.choices);
	routings_check_lists(graph, &routes, shortest);
	assert_false(routings_circle(graph, &routes));
	lanes = count_lanes(&routes);
	assert_true(lanes <= (routes.lanes == 0 ? 1 : routes.lanes));
	if (shortest)
		assert_int_equal(lanes, routes.lanes == 0 ? 1 : routes.lanes);
	net_routes_clear(&routes);
	return lanes;
}

static void random_networks(void **state)
{
	static const char *const rules[] = {"lash", "lash:tie=lowest", "dfsssp"};
	struct tr_random random;
	static struct routings_bed bed;

	(void)state;
	tr_random_open(&random, 8, "routings");
	for (unsigned round = 0; round < routings_rounds(); round++) {
		char rule[40];

		routings_draw(&bed, &random);
		check(&bed.topology, &bed.graph, rules[round % 3], true);
		snprintf(rule, sizeof(rule), "nue:lanes=%u", 1 + round % 4);
		assert_true(check(&bed.topology, &bed.graph, rule, false) <= 1 + round % 4);
		net_graph_close(&bed.graph);
	}
}

// In a ring of five or more, the shortest routes of one direction close one circle, and a lane that lacks one of them has
// none: two lanes are enough and needed. Of three, no route has a turn; in trees, meshes and hypercubes in the order of
// dimensions there is no circle.
static void lanes_of_rings(void **state)
{
	static struct routings_bed bed;
	struct net_routes routes;
	struct tr_error err;

	(void)state;
	for (uint32_t switches = 3; switches <= ROUTINGS_SWITCHES; switches++) {
		routings_ring(&bed, switches);
		for (unsigned i = 0; i < 2; i++) {
			const uint32_t lanes = check(&bed.topology, &bed.graph, i == 0 ? "lash" : "dfsssp", true);

			if (switches != 4)
				assert_int_equal(lanes, switches == 3 ? 1 : 2);
			if (switches < 5)
				continue;
			assert_int_equal(
				net_routing_make(&routes, &bed.topology, i == 0 ? "lash:lanes=1" : "dfsssp:lanes=1", &err),
				TR_ERROR);
			assert_non_null(strstr(err.text, "1 lane"));
		}
		assert_int_equal(check(&bed.topology, &bed.graph, "nue", false), 1);
		net_graph_close(&bed.graph);
	}
}

static uint32_t lanes_of(const char *network, const char *rule, bool shortest)
{
	struct net_topology topology;
	struct net_graph graph;
	uint32_t lanes;

	assert_int_equal(net_topology_make(&topology, network, NULL), TR_OK);
	assert_int_equal(net_graph_open(&graph, &topology, NULL), TR_OK);
	lanes = check(&topology, &graph, rule, shortest);
	net_graph_close(&graph);
	net_topology_clear(&topology);
	return lanes;
}

// A torus needs two lanes, as its rings do; of the greedy choices here none takes more than four.
static void lanes_of_grids_and_trees(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const char *rule = i == 0 ? "lash:tie=lowest" : "dfsssp";

		assert_int_equal(lanes_of("switch:9", rule, true), 1);
		assert_int_equal(lanes_of("fattree:2,4", rule, true), 1);
		assert_in_range(lanes_of("torus:5x5,hosts=1", rule, true), 2, 4);
		assert_in_range(lanes_of("torus:6x3x2,hosts=1", rule, true), 2, 4);
	}
	assert_int_equal(lanes_of("mesh:6x5", "lash:tie=lowest", true), 1);
	assert_int_equal(lanes_of("hypercube:4", "lash:tie=lowest", true), 1);
	for (unsigned lanes = 1; lanes <= 5; lanes++) {
		char rule[40];

		snprintf(rule, sizeof(rule), "nue:lanes=%u", lanes);
		assert_int_equal(lanes_of("torus:5x5,hosts=1", rule, false), lanes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_networks),
		cmocka_unit_test(lanes_of_rings),
		cmocka_unit_test(lanes_of_grids_and_trees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
