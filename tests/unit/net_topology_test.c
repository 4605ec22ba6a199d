// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/engine.h"
#include "net/myrinet/params.h"

static void names_make_what_they_say(void **state)
{
	struct net_topology topology;
	char text[64];

	(void)state;
	assert_int_equal(net_topology_make(&topology, "direct", NULL), TR_OK);
	assert_int_equal(topology.hosts, 2);
	assert_int_equal(topology.switches, 0);
	assert_int_equal(topology.cable_count, 1);
	assert_string_equal(net_link_name(&topology, 1, text, sizeof(text)), "host1>host0");
	net_topology_clear(&topology);
	assert_int_equal(net_topology_make(&topology, "switch:5", NULL), TR_OK);
	assert_int_equal(topology.hosts, 5);
	assert_int_equal(topology.switches, 1);
	assert_int_equal(topology.ports[0], 5);
	assert_int_equal(net_topology_check(&topology, NULL), TR_OK);
	assert_string_equal(net_link_name(&topology, 6, text, sizeof(text)), "host3>switch0.3");
	assert_string_equal(net_link_name(&topology, 7, text, sizeof(text)), "switch0.3>host3");
	topology.names = calloc(6, sizeof(*topology.names));
	assert_non_null(topology.names);
	topology.names[3] = strdup("node3.lab");
	topology.names[5] = strdup("centre");
	assert_string_equal(net_link_name(&topology, 6, text, sizeof(text)), "node3.lab>centre.3");
	assert_string_equal(net_link_name(&topology, 8, text, sizeof(text)), "host4>centre.4");
	net_topology_clear(&topology);
}

static void other_names_are_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"switch",
		"switch:",
		"switch:0",
		"switch:1025",
		"switch:8x",
		"switch:8,9",
		"switch:8,ports=7",
		"switch:-1",
		"direct:2",
		"directly",
		"ring",
		"ring:4,host=2",
		"ring:4,hosts=2,hosts=2",
		"mesh:",
		"mesh:4x",
		"mesh:0x4",
		"mesh:1x1x1x1x1x1x1x1x1",
		"mesh:4096x4096",
		"mesh:4294967295x4294967295x4294967295",
		"mesh:2x2,hosts=1023",
		"torus:4x4,hosts=2,",
		"hypercube:17",
		"fattree:0",
		"fattree:4,11",
		"fattree:1000,arity=1",
		"clos:4,4",
		"clos:1000,1000,4",
		"random-regular:5,3",
		"random-regular:4,4",
		"random-regular:4,1",
		"random-irregular:5,hosts=7",
		"random-irregular:5,cables=3",
		"random-irregular:5,cables=11",
		"triangle16:1",
		"yates128:",
	};
	struct net_topology topology;
	struct tr_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		memset(&topology, 1, sizeof(topology));
		assert_int_equal(net_topology_make(&topology, bad[i], &err), TR_ERROR);
		assert_null(topology.cables);
	}
}

static void broken_topologies_are_found(void **state)
{
	struct net_topology topology;
	struct tr_error err;

	(void)state;
	assert_int_equal(net_topology_make(&topology, "switch:4", NULL), TR_OK);
	topology.cables[3].ends[1].port = 2;
	assert_int_equal(net_topology_check(&topology, &err), TR_ERROR);
	assert_string_equal(err.text, "two cables on port 2 of node 4");
	topology.cables[3].ends[1].port = 4;
	assert_int_equal(net_topology_check(&topology, &err), TR_ERROR);
	assert_string_equal(err.text, "node 4 has no port 4");
	topology.cables[3].ends[1].node = 5;
	assert_int_equal(net_topology_check(&topology, &err), TR_ERROR);
	topology.cable_count = 3;
	assert_int_equal(net_topology_check(&topology, &err), TR_ERROR);
	assert_string_equal(err.text, "host 3 has no cable");
	net_topology_clear(&topology);
}

// Three switches in a row with two hosts each: host 2s and 2s + 1 on ports 0 and 1 of switch s,
// ports 2 and 3 to the neighbours (in the middle), 2 at the ends.
static void routes_take_the_shortest_way(void **state)
{
	struct net_cable cables[] = {
		{.ends = {{0, 0}, {6, 0}}}, {.ends = {{1, 0}, {6, 1}}}, {.ends = {{2, 0}, {7, 0}}},
		{.ends = {{3, 0}, {7, 1}}}, {.ends = {{4, 0}, {8, 0}}}, {.ends = {{5, 0}, {8, 1}}},
		{.ends = {{6, 2}, {7, 2}}}, {.ends = {{7, 3}, {8, 2}}},
	};
	uint32_t ports[] = {4, 4, 4};
	const struct net_topology topology = {
		.hosts = 6, .switches = 3, .ports = ports, .cables = cables, .cable_count = 8};
	struct net_routes routes;
	uint16_t way[3];

	(void)state;
	assert_int_equal(net_topology_check(&topology, NULL), TR_OK);
	assert_int_equal(net_routes_shortest(&routes, &topology, NULL), TR_OK);
	assert_int_equal(routes.longest, 3);
	assert_int_equal(net_routes_get(&routes, 0, 5, way), 3);
	assert_int_equal(way[0], 2);
	assert_int_equal(way[1], 3);
	assert_int_equal(way[2], 1);
	assert_int_equal(net_routes_get(&routes, 3, 3, way), 1);
	assert_int_equal(way[0], 1);
	net_routes_clear(&routes);
}

static void a_direct_link_has_no_route_to_oneself(void **state)
{
	struct net_topology topology;
	struct net_routes routes;
	uint16_t ports[1];

	(void)state;
	assert_int_equal(net_topology_make(&topology, "direct", NULL), TR_OK);
	assert_int_equal(net_routes_shortest(&routes, &topology, NULL), TR_OK);
	assert_int_equal(net_routes_get(&routes, 0, 1, ports), 0);
	assert_int_equal(net_routes_get(&routes, 1, 1, ports), NET_NO_ROUTE);
	net_routes_clear(&routes);
	net_topology_clear(&topology);
}

static void a_network_in_two_parts_has_no_routes(void **state)
{
	struct net_cable cables[] = {{.ends = {{0, 0}, {2, 0}}}, {.ends = {{1, 0}, {3, 0}}}};
	uint32_t ports[] = {2, 2};
	const struct net_topology topology = {
		.hosts = 2, .switches = 2, .ports = ports, .cables = cables, .cable_count = 2};
	struct net_routes routes;
	struct tr_error err;

	(void)state;
	assert_int_equal(net_routes_shortest(&routes, &topology, &err), TR_ERROR);
	assert_string_equal(err.text, "shortest: no route from host 0 to host 1");
}

static void orders_are_each_port_once(void **state)
{
	static const char *const bad[] = {"6574302",  "657430211",	 "65743028",
					  "66743021", "6-5-7-4-3-0-2",	 "6-5-7-4-3-0-2-8",
					  "6574302x", "6-5-7-4-3-0-2-1-"};
	static const uint16_t yates[] = {6, 5, 7, 4, 3, 0, 2, 1};
	uint16_t order[16];

	(void)state;
	assert_int_equal(myr_order_make(order, 8, "", NULL), TR_OK);
	assert_memory_equal(order, yates, sizeof(yates));
	assert_int_equal(myr_order_make(order, 8, "6-5-7-4-3-0-2-1", NULL), TR_OK);
	assert_memory_equal(order, yates, sizeof(yates));
	assert_int_equal(myr_order_make(order, 12, "11-0-1-2-3-4-5-6-7-8-9-10", NULL), TR_OK);
	assert_int_equal(order[0], 11);
	assert_int_equal(myr_order_make(order, 3, "", NULL), TR_OK);
	for (uint16_t i = 0; i < 3; i++)
		assert_int_equal(order[i], i);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(myr_order_make(order, 8, bad[i], NULL), TR_ERROR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_make_what_they_say),
		cmocka_unit_test(other_names_are_refused),
		cmocka_unit_test(broken_topologies_are_found),
		cmocka_unit_test(routes_take_the_shortest_way),
		cmocka_unit_test(a_direct_link_has_no_route_to_oneself),
		cmocka_unit_test(a_network_in_two_parts_has_no_routes),
		cmocka_unit_test(orders_are_each_port_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
