// SPDX-License-Identifier: GPL-3.0-or-later
// A mapper with immediate answers finds the network: random ones, up to their port numbering, and
// what remains after cutting a cable. FLIT_LONG=1 tries many more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mapper/explore.h"
#include "mapper/mapping.h"
#include "net/topology/graph.h"
#include "value/random.h"

static unsigned rounds(void)
{
	return getenv("FLIT_LONG") ? 3000 : 60;
}

// Answers all scouts as the graph does; how many there were.
static unsigned explore_all(struct explore *explore, const struct net_graph *graph, uint32_t mapper)
{
	struct explore_scout scout;
	uint16_t ports[EXPLORE_ROUTE_MAX];
	unsigned scouts = 0;

	while (explore_next(explore, &scout)) {
		uint32_t end = wire_follow(graph, mapper, scout.deltas, scout.count, ports);

		if (scout.ask == EXPLORE_HOST)
			explore_answer(explore, end != NET_NOBODY, end);
		else
			explore_answer(explore, end == mapper, 0);
		scouts++;
	}
	return scouts;
}

// Matches the map with the network from the mapper on, port by port: both must have the same
// cables, the map's ports being moved by a number that each switch has for itself.
struct match {
	const struct net_graph *map;
	const struct net_graph *real;
	const uint32_t *ids;
	uint32_t *real_of; // of the map's switches
	int *shift;
	uint32_t matched;
};

static void match_switch(struct match *match, uint32_t map_node, uint32_t map_port,
			 uint32_t real_node, uint32_t real_port)
{
	int shift = (int)real_port - (int)map_port;

	assert_true(net_graph_is_switch(match->map, map_node));
	assert_true(net_graph_is_switch(match->real, real_node));
	if (match->real_of[map_node] != NET_NOBODY) {
		assert_int_equal(match->real_of[map_node], real_node);
		assert_int_equal(match->shift[map_node], shift);
		return;
	}
	match->real_of[map_node] = real_node;
	match->shift[map_node] = shift;
	match->matched++;
	for (uint32_t port = 0; port < net_graph_ports(match->real, real_node); port++) {
		const struct net_peer *real = net_graph_peer(match->real, real_node, port);
		const struct net_peer *map;

		if (real->node == NET_NOBODY)
			continue;
		assert_true((int)port >= shift);
		assert_true(port - (uint32_t)shift < net_graph_ports(match->map, map_node));
		map = net_graph_peer(match->map, map_node, port - (uint32_t)shift);
		assert_true(map->node != NET_NOBODY);
		if (net_graph_is_switch(match->real, real->node))
			match_switch(match, map->node, map->port, real->node, real->port);
		else
			assert_int_equal(match->ids[map->node], real->node);
	}
}

static void check_map(const struct explore *explore, const struct net_graph *real, uint32_t mapper)
{
	struct net_topology topology;
	struct net_graph map;
	uint32_t *ids = calloc(real->hosts, sizeof(*ids));
	struct match match = {.map = &map, .real = real, .ids = ids};
	struct tr_error err = {""};

	if (explore_map(explore, &topology, ids, &err) != TR_OK)
		fail_msg("%s", err.text);
	assert_int_equal(net_graph_open(&map, &topology, NULL), TR_OK);
	match.real_of = malloc(map.nodes * sizeof(*match.real_of));
	match.shift = calloc(map.nodes, sizeof(*match.shift));
	memset(match.real_of, 0xff, map.nodes * sizeof(*match.real_of));
	for (uint32_t i = 0; i < map.hosts; i++)
		if (ids[i] == mapper && net_graph_is_switch(&map, net_graph_peer(&map, i, 0)->node))
			match_switch(&match, net_graph_peer(&map, i, 0)->node,
				     net_graph_peer(&map, i, 0)->port,
				     net_graph_peer(real, mapper, 0)->node,
				     net_graph_peer(real, mapper, 0)->port);
	assert_int_equal(match.matched, topology.switches);
	free(match.real_of);
	free(match.shift);
	free(ids);
	net_graph_close(&map);
	net_topology_clear(&topology);
}

static uint32_t most_ports(const struct net_topology *topology)
{
	uint32_t most = 1;

	for (uint32_t i = 0; i < topology->switches; i++)
		most = topology->ports[i] > most ? topology->ports[i] : most;
	return most;
}

static unsigned map_network(struct net_topology *topology, uint32_t mapper)
{
	struct explore *explore;
	struct net_graph graph;
	unsigned scouts;

	assert_int_equal(net_graph_open(&graph, topology, NULL), TR_OK);
	explore = explore_open(mapper, topology->hosts, most_ports(topology));
	assert_non_null(explore);
	scouts = explore_all(explore, &graph, mapper);
	check_map(explore, &graph, mapper);
	explore_close(explore);
	net_graph_close(&graph);
	return scouts;
}

static void named_networks(void **state)
{
	static const char *const networks[] = {"direct",      "switch:1",	"switch:8",
					       "triangle16",  "triangle18",	"yates16a",
					       "yates128",    "george96",	"fattree:2,4",
					       "torus:4x3x2", "ring:6,hosts=2", "clos:3,2,4"};

	(void)state;
	for (size_t i = 0; i < sizeof(networks) / sizeof(*networks); i++) {
		struct net_topology topology;

		assert_int_equal(net_topology_make(&topology, networks[i], NULL), TR_OK);
		map_network(&topology, topology.hosts - 1);
		net_topology_clear(&topology);
	}
}

// Random networks, whole and with a cable between switches cut: then the mapper finds its own part.
static void random_networks(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 9, "mapper");
	for (unsigned round = 0; round < rounds(); round++) {
		struct net_topology topology;
		char name[100];
		size_t cut;

		snprintf(name, sizeof(name), "random-irregular:%u,hosts=%u,seed=%u",
			 2 + (unsigned)tr_random_below(&random, 12),
			 1 + (unsigned)tr_random_below(&random, 4), round);
		assert_int_equal(net_topology_make(&topology, name, NULL), TR_OK);
		map_network(&topology, (uint32_t)tr_random_below(&random, topology.hosts));
		cut = topology.hosts +
		      tr_random_below(&random, topology.cable_count - topology.hosts);
		topology.cables[cut] = topology.cables[--topology.cable_count];
		map_network(&topology, topology.hosts - 1);
		net_topology_clear(&topology);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(named_networks),
		cmocka_unit_test(random_networks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
