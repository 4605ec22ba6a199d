// SPDX-License-Identifier: GPL-3.0-or-later
// The rules on the shapes of today's networks: every route leads to its host, shortest ones are as
// long as a breadth-first search says, and what the rules guarantee holds by a second algorithm;
// where routes can deadlock, a cycle is named.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "routings_bed.h"

#include "net/routes/channel_load.h"
#include "net/routes/deadlock.h"
#include "net/routings/routing.h"

// trees: nca takes it, and no shortest routes have a cycle. ordered: shortest:tie=lowest goes
// dimension by dimension.
static const struct shape {
	const char *network;
	bool tree, ordered;
} shapes[] = {
	{"dragonfly:2", false, false},
	{"dragonfly:1,4,1,groups=3,global=palmtree", false, false},
	{"dragonfly+:2", false, false},
	{"hyperx:4x3,hosts=2", false, true},
	{"hyperx:3x2x4,cables=1x2x1", false, true},
	{"flattened-butterfly:3,3", false, true},
	{"slimfly:4,hosts=1", false, false},
	{"slimfly:5,hosts=1", false, false},
	{"xgft:4x2x3,1x2x2", true, true},
	{"xgft:2x3x2,1x2x3,cables=1x2x1", true, true},
	{"leaf-spine:5,3,hosts=4,cables=2", true, true},
	{"jellyfish:18,6,4", false, false},
};

struct shape_bed {
	struct net_topology topology;
	struct net_graph graph;
};

static void shape_open(struct shape_bed *bed, const char *network)
{
	assert_int_equal(net_topology_make(&bed->topology, network, NULL), TR_OK);
	assert_int_equal(net_graph_open(&bed->graph, &bed->topology, NULL), TR_OK);
}

static void shape_close(struct shape_bed *bed)
{
	net_graph_close(&bed->graph);
	net_topology_clear(&bed->topology);
}

// Whether worms on the routes of a rule can deadlock, by two algorithms.
static bool shape_deadlocks(const struct shape_bed *bed, const char *rule, bool shortest)
{
	struct net_routes routes;
	struct net_cycle cycle;
	bool deadlock;

	assert_int_equal(net_routing_make(&routes, &bed->topology, rule, NULL), TR_OK);
	routings_check_lists(&bed->graph, &routes, shortest);
	assert_int_equal(net_deadlock_find(&cycle, &bed->graph, &routes, NULL), TR_OK);
	deadlock = cycle.count > 0;
	assert_int_equal(deadlock, routings_cycle(&bed->graph, &routes));
	net_cycle_clear(&cycle);
	net_routes_clear(&routes);
	return deadlock;
}

static void rules_are_proved_on_every_shape(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		struct shape_bed bed;

		shape_open(&bed, shapes[i].network);
		assert_false(shape_deadlocks(&bed, "updown", false));
		assert_false(shape_deadlocks(&bed, "nue", false));
		assert_false(shape_deadlocks(&bed, "nue:lanes=2", false));
		assert_false(shape_deadlocks(&bed, "lash", true));
		assert_false(shape_deadlocks(&bed, "dfsssp", true));
		assert_false(shape_deadlocks(&bed, "smart", false));
		if (shapes[i].ordered)
			assert_false(shape_deadlocks(&bed, "shortest:tie=lowest", true));
		(void)shape_deadlocks(&bed, "shortest", true);
		shape_close(&bed);
	}
}

// On the lowest, or shared out, ports: a minimal route of a dragonfly takes a local, a global and a
// local cable, and the local ones close cycles (Kim et al. 2008, section 4); Slim Flies need two
// lanes (Besta and Hoefler 2014, section 4.D).
static void shortest_routes_without_lanes_deadlock(void **state)
{
	static const char *const networks[] = {"dragonfly:2", "dragonfly:2,global=palmtree",
					       "slimfly:5,hosts=1", "jellyfish:18,6,4"};

	(void)state;
	for (size_t i = 0; i < sizeof(networks) / sizeof(*networks); i++) {
		struct shape_bed bed;

		shape_open(&bed, networks[i]);
		assert_true(shape_deadlocks(&bed, "shortest", true));
		assert_true(shape_deadlocks(&bed, "shortest:tie=lowest", true));
		shape_close(&bed);
	}
}

static void trees_take_their_rule_and_others_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		struct shape_bed bed;
		struct net_routes routes;
		struct tr_error err = {""};

		shape_open(&bed, shapes[i].network);
		if (shapes[i].tree) {
			assert_false(shape_deadlocks(&bed, "nca", true));
			assert_false(shape_deadlocks(&bed, "shortest", true));
		} else {
			assert_int_equal(net_routing_make(&routes, &bed.topology, "nca", &err),
					 TR_ERROR);
			assert_non_null(strstr(err.text, "not a tree"));
		}
		shape_close(&bed);
	}
}

// Random grids whose lines are fully joined: the rule dimension changes one coordinate after the
// other by one cable each, cannot deadlock, shares out parallel cables, and is what the default tie
// gives where there are none.
static void hyperx_are_routed_by_dimension(void **state)
{
	static const char *const networks[] = {"hyperx:4x4,hosts=2",
					       "hyperx:2x5x3",
					       "flattened-butterfly:5,3",
					       "hyperx:4x3,cables=1x2",
					       "hyperx:4x5,hosts=6,cables=2x3",
					       "hyperx:6,hosts=3"};

	(void)state;
	for (size_t i = 0; i < sizeof(networks) / sizeof(*networks); i++) {
		struct shape_bed bed;
		struct net_routes routes, usual;
		uint16_t ports[8], other[8];
		uint32_t most = 0;
		struct net_loads loads;

		shape_open(&bed, networks[i]);
		assert_false(shape_deadlocks(&bed, "dimension", true));
		assert_int_equal(net_routing_make(&routes, &bed.topology, "dimension", NULL),
				 TR_OK);
		assert_int_equal(net_routing_make(&usual, &bed.topology, "shortest", NULL), TR_OK);
		for (uint32_t pair = 0; pair < routes.hosts * routes.hosts; pair++) {
			const uint32_t from = pair / routes.hosts, to = pair % routes.hosts;
			const uint32_t count = net_routes_get(&routes, from, to, ports);
			uint32_t before = 0;

			if (from == to)
				continue;
			most = count > most ? count : most;
			for (uint32_t n = 0; n + 1 < count; n++) {
				assert_true(n == 0 || ports[n] > before);
				before = ports[n];
			}
			if (!strstr(networks[i], "cables") && !strstr(networks[i], ":6")) {
				assert_int_equal(net_routes_get(&usual, from, to, other), count);
				assert_memory_equal(ports, other, count * sizeof(*ports));
			}
		}
		assert_int_equal(most, routes.longest);
		assert_true(routes.acyclic);
		assert_int_equal(
			net_loads_find(&loads, &bed.graph, &routes, (struct net_demand){0}, NULL),
			TR_OK);
		for (uint32_t link = 0; strstr(networks[i], "=6,") && link < loads.count; link++) {
			const struct net_end *ends = bed.topology.cables[link / 2].ends;
			const uint32_t low = ends[0].node < ends[1].node ? ends[0].node
									 : ends[1].node;
			const uint32_t high = ends[0].node ^ ends[1].node ^ low;

			// Of the 6 hosts of each of 5 (or 4) switches, a cable's share.
			if (low >= bed.topology.hosts)
				assert_int_equal(llround(loads.links[link]),
						 high - low < 4 ? 6 * 5 * 6 / 2 : 6 * 4 * 6 / 3);
		}
		net_loads_clear(&loads);
		net_routes_clear(&routes);
		net_routes_clear(&usual);
		shape_close(&bed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_are_proved_on_every_shape),
		cmocka_unit_test(shortest_routes_without_lanes_deadlock),
		cmocka_unit_test(hyperx_are_routed_by_dimension),
		cmocka_unit_test(trees_take_their_rule_and_others_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
