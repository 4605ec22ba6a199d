// SPDX-License-Identifier: GPL-3.0-or-later
// Visits of the paths of all pairs of hosts.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/routes/channel_load.h"
#include "net/routes/deadlock.h"
#include "net/routings/routing.h"

// A visit that asks once for the hosts of a switch finds what one finds that asks for each:
// by_switch only saves time.
static void hosts_of_a_switch_share_their_paths(void **state)
{
	static const char *const rules[] = {"updown:tie=lowest", "updown:tie=destination",
					    "shortest:tie=destination"};
	struct net_topology topology;
	struct net_graph graph;

	(void)state;
	assert_int_equal(net_topology_make(&topology, "random-irregular:9,hosts=3,seed=4", NULL),
			 TR_OK);
	assert_int_equal(net_graph_open(&graph, &topology, NULL), TR_OK);
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		struct net_routes routes;
		struct net_cycle cycles[2];
		struct net_loads loads[2];

		assert_int_equal(net_routing_make(&routes, &topology, rules[i], NULL), TR_OK);
		assert_true(routes.by_switch);
		for (unsigned once = 0; once < 2; once++) {
			routes.by_switch = once != 0;
			assert_int_equal(net_deadlock_find(&cycles[once], &graph, &routes, NULL),
					 TR_OK);
			assert_int_equal(net_loads_find(&loads[once], &graph, &routes,
							(struct net_demand){NULL}, NULL),
					 TR_OK);
		}
		assert_int_equal(cycles[0].dependencies, cycles[1].dependencies);
		assert_int_equal(cycles[0].count, cycles[1].count);
		assert_int_equal(loads[0].switches, loads[1].switches);
		for (uint32_t link = 0; link < graph.links; link++)
			assert_true(loads[0].links[link] == loads[1].links[link]);
		for (unsigned once = 0; once < 2; once++) {
			net_cycle_clear(&cycles[once]);
			net_loads_clear(&loads[once]);
		}
		net_routes_clear(&routes);
	}
	net_graph_close(&graph);
	net_topology_clear(&topology);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hosts_of_a_switch_share_their_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
