// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/topology/graph.h"
#include "net/topology/topology_facts.h"
#include "topology_bed.h"

static void assert_joined(const struct net_graph *graph, uint32_t one, uint32_t one_port,
			  uint32_t other, uint32_t other_port)
{
	assert_int_equal(topology_bed_across(graph, one, one_port).node, graph->hosts + other);
	assert_int_equal(topology_bed_across(graph, one, one_port).port, other_port);
	assert_int_equal(topology_bed_across(graph, other, other_port).node, graph->hosts + one);
	assert_int_equal(topology_bed_across(graph, other, other_port).port, one_port);
}

// Yates (1997), 6.3 and figure C-1: the worm of host 0 enters the first switch on port 3, leaves on
// 5, enters the second on 5, leaves on 7 to host 10; the legible rows give the other places.
static void the_triangle_is_the_one_of_the_route_table(void **state)
{
	static const uint32_t hosts[][3] = {{0, 0, 3},	{4, 0, 4},  {5, 1, 4},
					    {10, 1, 7}, {11, 2, 4}, {12, 2, 0},
					    {13, 2, 1}, {14, 2, 2}, {15, 2, 3}};
	struct net_graph graph;

	(void)state;
	topology_bed_open(&graph, "triangle16");
	for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++)
		assert_int_equal(topology_bed_across(&graph, hosts[i][1], hosts[i][2]).node,
				 hosts[i][0]);
	assert_joined(&graph, 0, 5, 1, 5);
	assert_joined(&graph, 1, 6, 2, 5);
	for (uint32_t port = 6; port < 8; port++)
		assert_int_equal(topology_bed_across(&graph, 0, port).node, graph.hosts + 2);
	net_graph_close(&graph);
}

// The same, figures C-2 and C-3: 6, 6, 2 and 6, 2 lead from host 0 to host 10.
static void the_layouts_of_four_switches_carry_the_printed_routes(void **state)
{
	struct net_graph graph;

	(void)state;
	topology_bed_open(&graph, "yates16a");
	assert_int_equal(topology_bed_across(&graph, 0, 6).node, graph.hosts + 3);
	assert_int_equal(topology_bed_across(&graph, 3, 6).node, graph.hosts + 2);
	assert_int_equal(topology_bed_across(&graph, 2, 2).node, 10);
	net_graph_close(&graph);
	topology_bed_open(&graph, "yates16b");
	assert_int_equal(topology_bed_across(&graph, 0, 6).node, graph.hosts + 2);
	assert_int_equal(topology_bed_across(&graph, 2, 2).node, 10);
	net_graph_close(&graph);
}

// Yates-T15: switches 3, 4, 9, 19, 39, at most 8 ports used, all pairs joined, and the means of
// 7.3.
static void the_networks_of_yates_have_their_sizes(void **state)
{
	static const struct {
		const char *name;
		uint32_t hosts;
		uint32_t switches;
		double mean;
		double share; // of pairs with one switch
	} rows[] = {
		{"triangle16", 16, 3, 1.708, .292}, {"yates16a", 16, 4, 2.200, .2},
		{"yates16b", 16, 4, 1.800, .2},	    {"yates16", 16, 4, 2.417, .292},
		{"yates32x6", 32, 6, 2.548, .141},  {"yates32", 32, 9, 3.750, .141},
		{"yates64", 64, 19, 4.385, .069},   {"yates128", 128, 39, 5.703, .034},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct net_topology topology;
		struct net_facts facts;
		struct tr_error err;

		assert_int_equal(net_topology_make(&topology, rows[i].name, &err), TR_OK);
		assert_int_equal(net_facts_find(&facts, &topology, NULL, &err), TR_OK);
		assert_int_equal(topology.hosts, rows[i].hosts);
		assert_int_equal(topology.switches, rows[i].switches);
		assert_true(facts.widest <= 8);
		assert_int_equal(facts.pairs_apart, 0);
		assert_int_equal(facts.parts, 1);
		assert_true(fabs(net_facts_mean_switches(&facts) - rows[i].mean) < .0005 + 1e-9);
		assert_true(fabs((double)facts.pairs[1] / (double)facts.pairs_joined -
				 rows[i].share) < .0005);
		net_facts_clear(&facts);
		net_topology_clear(&topology);
	}
}

static void grids_lead_where_their_ports_say(void **state)
{
	struct net_graph graph;

	(void)state;
	topology_bed_open(&graph, "torus:4x3x2,hosts=2"); // ports 2, 3: x; 4, 5: y; 6, 7: z
	assert_joined(&graph, 0, 2, 1, 3);
	assert_joined(&graph, 3, 2, 0, 3);
	assert_joined(&graph, 1, 4, 5, 5);
	assert_joined(&graph, 9, 4, 1, 5);
	assert_joined(&graph, 5, 6, 17, 7);
	assert_int_equal(topology_bed_across(&graph, 17, 6).node, NET_NOBODY);
	assert_int_equal(topology_bed_across(&graph, 5, 1).node, 11);
	net_graph_close(&graph);
	topology_bed_open(&graph, "mesh:4x3");
	assert_int_equal(topology_bed_across(&graph, 3, 1).node, NET_NOBODY);
	assert_int_equal(topology_bed_across(&graph, 0, 2).node, NET_NOBODY);
	assert_joined(&graph, 6, 3, 10, 4);
	net_graph_close(&graph);
	topology_bed_open(&graph, "hypercube:4,hosts=1");
	assert_joined(&graph, 5, 3, 1, 3);
	assert_joined(&graph, 5, 4, 13, 4);
	net_graph_close(&graph);
}

// Of a k-ary n-tree: two hosts whose numbers first differ in digit d (from the most significant of
// n) have 2 (n - d) - 1 switches between them, and each switch of a level reaches all k^(l+1) hosts
// of its subtree.
static void a_fat_tree_has_its_distances(void **state)
{
	struct net_topology topology;
	struct net_facts facts;
	struct tr_error err;

	(void)state;
	assert_int_equal(net_topology_make(&topology, "fattree:3,4", &err), TR_OK);
	assert_int_equal(topology.hosts, 81);
	assert_int_equal(topology.switches, 4 * 27);
	assert_int_equal(topology.cable_count, 81 * 4);
	assert_int_equal(net_facts_find(&facts, &topology, NULL, &err), TR_OK);
	assert_int_equal(facts.longest, 7);
	assert_int_equal(facts.pairs[1], 81 * 2);
	assert_int_equal(facts.pairs[3], 81 * 6);
	assert_int_equal(facts.pairs[5], 81 * 18);
	assert_int_equal(facts.pairs[7], 81 * 54);
	net_facts_clear(&facts);
	net_topology_clear(&topology);
}

static void a_part_of_a_fat_tree_is_whole(void **state)
{
	(void)state;
	for (uint32_t hosts = 1; hosts <= 70; hosts++) {
		char text[64];
		struct net_topology topology;
		struct net_facts facts;
		struct tr_error err;

		(void)snprintf(text, sizeof(text), "fattree:%u,arity=3", hosts);
		assert_int_equal(net_topology_make(&topology, text, &err), TR_OK);
		assert_int_equal(net_topology_check(&topology, &err), TR_OK);
		assert_int_equal(topology.hosts, hosts);
		assert_int_equal(net_facts_find(&facts, &topology, NULL, &err), TR_OK);
		assert_int_equal(facts.parts, 1);
		assert_int_equal(facts.longest >= 1 ? facts.pairs[1] : 0,
				 hosts / 3 * 6 + (hosts % 3 == 2 ? 2 : 0));
		net_facts_clear(&facts);
		net_topology_clear(&topology);
	}
}

// Every switch of a random regular network has as many neighbours, none twice, and all are
// connected.
static void random_regular_networks_are_simple(void **state)
{
	struct net_graph graph;

	(void)state;
	for (unsigned seed = 0; seed < 50; seed++) {
		char text[64];

		(void)snprintf(text, sizeof(text), "random-regular:12,%u,hosts=1,seed=%u",
			       2 + seed % 10, seed);
		topology_bed_open(&graph, text);
		for (uint32_t i = 0; i < 12; i++)
			assert_int_equal(topology_bed_neighbours(&graph, i), 2 + seed % 10);
		net_graph_close(&graph);
	}
}

static bool part_has(const void *graph, uint32_t node)
{
	return (node - ((const struct net_graph *)graph)->hosts) % 3 == 1;
}

// Its links are numbered in the order of the topology, and lead to where they led.
static void a_part_of_a_graph_has_what_lies_at_its_nodes(void **state)
{
	struct net_topology topology;
	struct net_graph whole, part;
	uint32_t links = 0;

	(void)state;
	assert_int_equal(net_topology_make(&topology, "torus:4x5,hosts=2", NULL), TR_OK);
	assert_int_equal(net_graph_open(&whole, &topology, NULL), TR_OK);
	assert_int_equal(net_graph_open(&part, &topology, NULL), TR_OK);
	assert_int_equal(net_graph_find(&whole, &topology, 7), 7);
	assert_int_equal(
		net_graph_keep(&part, &topology, &(struct net_graph_part){part_has, &whole}, NULL),
		TR_OK);
	for (uint32_t i = 0; i < whole.links; i++) {
		const struct net_end *ends = topology.cables[i / 2].ends;

		if (!part_has(&whole, ends[0].node) && !part_has(&whole, ends[1].node))
			continue;
		assert_int_equal(net_graph_link(&part, links), i);
		assert_int_equal(net_graph_find(&part, &topology, i), links);
		links++;
	}
	assert_int_equal(part.links, links);
	assert_true(links > 0 && links < whole.links);
	for (uint32_t node = 0; node < whole.nodes; node++) {
		const bool here = part_has(&whole, node);

		assert_int_equal(net_graph_ports(&part, node),
				 here ? net_graph_ports(&whole, node) : 0);
		for (uint32_t port = 0; here && port < net_graph_ports(&whole, node); port++) {
			const struct net_peer *peer = net_graph_peer(&part, node, port);

			assert_int_equal(peer->node, net_graph_peer(&whole, node, port)->node);
			assert_int_equal(net_graph_link(&part, peer->link),
					 net_graph_peer(&whole, node, port)->link);
		}
	}
	net_graph_close(&part);
	net_graph_close(&whole);
	net_topology_clear(&topology);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_triangle_is_the_one_of_the_route_table),
		cmocka_unit_test(the_layouts_of_four_switches_carry_the_printed_routes),
		cmocka_unit_test(the_networks_of_yates_have_their_sizes),
		cmocka_unit_test(grids_lead_where_their_ports_say),
		cmocka_unit_test(a_fat_tree_has_its_distances),
		cmocka_unit_test(a_part_of_a_fat_tree_is_whole),
		cmocka_unit_test(random_regular_networks_are_simple),
		cmocka_unit_test(a_part_of_a_graph_has_what_lies_at_its_nodes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
