// SPDX-License-Identifier: GPL-3.0-or-later
// Dragonflies, HyperX, Slim Flies, generalised fat trees and Jellyfish against their papers.
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

static void shape_measure(const char *text, struct net_topology *topology, struct net_facts *facts)
{
	struct tr_error err;

	assert_int_equal(net_topology_make(topology, text, &err), TR_OK);
	assert_int_equal(net_topology_check(topology, &err), TR_OK);
	assert_int_equal(net_facts_find(facts, topology, NULL, &err), TR_OK);
	assert_int_equal(facts->parts, 1);
}

// Kim et al. (2008): N = a p (a h + 1) hosts, figure 5 has 72 and the simulated network 1,056;
// radix p + a + h - 1; at most two local and a global cable between two hosts. Shpiner et al.
// (2017): radix 2k, k^2 hosts a group, k^2 + 1 groups; leaf, spine, spine, leaf. Kim, Dally and
// Abts (2007): k^n hosts, radix n (k - 1) + 1; 8-ary 2-flat, and 4-ary 4-flat by its formula. Besta
// and Hoefler (2014): 2 q^2 switches of degree (3 q - d) / 2, 10,830 hosts for q = 19. Al-Fares et
// al. (2008): k = 8 has 128 hosts and 80 switches.
static void shapes_have_their_published_sizes(void **state)
{
	static const struct {
		const char *name;
		uint32_t hosts, switches, radix, longest;
	} rows[] = {
		{"dragonfly:2", 72, 36, 7, 4},
		{"dragonfly:2,global=palmtree", 72, 36, 7, 4},
		{"dragonfly:4,8,4", 1056, 264, 15, 4},
		{"dragonfly:2,4,2,groups=5", 40, 20, 7, 4},
		{"dragonfly+:3", 90, 60, 6, 4},
		{"dragonfly+:2,3,4,5,global=palmtree", 126, 147, 8, 4},
		{"flattened-butterfly:8,2", 64, 8, 15, 2},
		{"flattened-butterfly:4,4", 256, 64, 13, 4},
		{"hyperx:2x3x4,hosts=5,cables=3x2x1", 120, 24, 15, 4},
		{"slimfly:3", 54, 18, 8, 3},
		{"slimfly:4", 96, 32, 9, 3},
		{"slimfly:5", 200, 50, 11, 3},
		{"slimfly:7", 588, 98, 17, 3},
		{"slimfly:8", 768, 128, 18, 3},
		{"slimfly:9", 1134, 162, 20, 3},
		{"slimfly:11", 2178, 242, 26, 3},
		{"slimfly:13", 3380, 338, 29, 3},
		{"slimfly:16", 6144, 512, 36, 3},
		{"slimfly:17", 7514, 578, 38, 3},
		{"slimfly:19", 10830, 722, 44, 3},
		{"slimfly:25,hosts=1", 1250, 1250, 38, 3},
		{"slimfly:27,hosts=1", 1458, 1458, 42, 3},
		{"xgft:4x4x8,1x4x4", 128, 80, 8, 5},
		{"xgft:16,1", 16, 1, 16, 1},
		{"ringlets:4,3", 12, 13, 8, 5},
		{"ringlets:1,4", 4, 5, 3, 3},
		{"leaf-spine:8,4,oversubscription=3", 96, 12, 16, 3},
		{"leaf-spine:4,2,hosts=3,cables=2", 12, 6, 8, 3},
		{"rails:32,2,32,16", 2048, 80, 64, 3}, // ports of hosts
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct net_topology topology;
		struct net_facts facts;

		shape_measure(rows[i].name, &topology, &facts);
		assert_int_equal(topology.hosts, rows[i].hosts);
		assert_int_equal(topology.switches, rows[i].switches);
		assert_int_equal(facts.widest, rows[i].radix);
		assert_int_equal(facts.longest, rows[i].longest);
		net_facts_clear(&facts);
		net_topology_clear(&topology);
	}
}

// The group that global cable k of group i leads to, and the cable's number there, for p = 2, a =
// 4, h = 2: by the groups' numbers, or down from its own (Camarero et al. 2014).
static void dragonflies_are_cabled_as_arranged(void **state)
{
	struct net_graph graph;

	(void)state;
	for (unsigned palmtree = 0; palmtree < 2; palmtree++) {
		topology_bed_open(&graph, palmtree ? "dragonfly:2,global=palmtree" : "dragonfly:2");
		for (uint32_t i = 0; i < 9; i++)
			for (uint32_t k = 0; k < 8; k++) {
				const struct net_peer peer = topology_bed_across(
					&graph, 4 * i + k / 2, 5 + k % 2);
				const uint32_t at = peer.node - graph.hosts;

				assert_int_equal(at / 4, palmtree ? (i + 8 - k) % 9
							 : k < i  ? k
								  : k + 1);
				assert_int_equal(at % 4 * 2 + peer.port - 5, palmtree ? 7 - k
									     : k < i  ? i - 1
										      : i);
			}
		net_graph_close(&graph);
	}
}

// Each two of g groups have floor(a h / (g - 1)) cables, whatever g is.
static void dragonflies_join_each_two_groups_alike(void **state)
{
	static uint32_t joined[19][19];

	(void)state;
	for (uint32_t groups = 2; groups <= 19; groups++)
		for (unsigned kind = 0; kind < 4; kind++) {
			const uint32_t own = kind < 2 ? 6 : 2 + 9;
			struct net_graph graph;
			char text[80];

			(void)snprintf(text, sizeof(text), "%s,groups=%u,global=%s",
				       kind < 2 ? "dragonfly:1,6,3" : "dragonfly+:1,2,9,2", groups,
				       kind % 2 ? "palmtree" : "absolute");
			topology_bed_open(&graph, text);
			memset(joined, 0, sizeof(joined));
			for (uint32_t i = graph.hosts; i < graph.nodes; i++)
				for (uint32_t port = 0; port < net_graph_ports(&graph, i); port++) {
					const uint32_t peer = net_graph_peer(&graph, i, port)->node;

					if (net_graph_is_switch(&graph, peer))
						joined[(i - graph.hosts) / own]
						      [(peer - graph.hosts) / own]++;
				}
			for (uint32_t one = 0; one < groups; one++)
				for (uint32_t other = 0; other < groups; other++)
					assert_int_equal(joined[one][other],
							 one != other ? 18 / (groups - 1)
							 : kind < 2   ? 30
								      : 36);
			net_graph_close(&graph);
		}
}

// The graph of Hoffman and Singleton is the one of 50 switches of degree 7 in which two that are
// joined have no neighbour in common, and two others one.
static void the_slim_fly_of_five_is_hoffman_and_singletons(void **state)
{
	static unsigned char joined[50][50];
	struct net_graph graph;

	(void)state;
	topology_bed_open(&graph, "slimfly:5,hosts=1");
	for (uint32_t i = 0; i < 50; i++)
		for (uint32_t port = 1; port < 8; port++)
			joined[i][topology_bed_across(&graph, i, port).node - graph.hosts]++;
	for (uint32_t i = 0; i < 50; i++)
		for (uint32_t j = 0; j < i; j++) {
			unsigned common = 0;

			for (uint32_t via = 0; via < 50; via++)
				common += joined[i][via] && joined[via][j];
			assert_true(joined[i][j] <= 1);
			assert_int_equal(common, !joined[i][j]);
		}
	net_graph_close(&graph);
}

// Two switches of a HyperX are as far apart as they have different coordinates: in n dimensions of
// S there are C(n, d) (S - 1)^d at distance d from each.
static void a_hyperx_has_its_distances(void **state)
{
	static const uint64_t from_one[] = {1, 3 * 4, 3 * 16, 64};
	struct net_topology topology;
	struct net_facts facts;

	(void)state;
	shape_measure("hyperx:5x5x5,hosts=2", &topology, &facts);
	for (uint32_t d = 0; d < 4; d++)
		assert_int_equal(facts.pairs[d + 1], 250 * (2 * from_one[d] - (d == 0 ? 1 : 0)));
	net_facts_clear(&facts);
	net_topology_clear(&topology);
}

// A k-ary n-tree is the XGFT with k children and k parents everywhere, to the port.
static void a_fat_tree_is_generalised(void **state)
{
	struct net_graph one, other;

	(void)state;
	topology_bed_open(&one, "fattree:3,4");
	topology_bed_open(&other, "xgft:3x3x3x3,1x3x3x3");
	assert_int_equal(one.nodes, other.nodes);
	for (uint32_t node = 0; node < one.nodes; node++)
		for (uint32_t port = 0; port < net_graph_ports(&other, node); port++) {
			assert_int_equal(net_graph_peer(&one, node, port)->node,
					 net_graph_peer(&other, node, port)->node);
			assert_int_equal(net_graph_peer(&one, node, port)->port,
					 net_graph_peer(&other, node, port)->port);
		}
	net_graph_close(&one);
	net_graph_close(&other);
}

// XGFT(3; 2, 3, 4; 1, 2, 5): switches of a level are the products of the parents up to it and the
// children above it, 12, 8 and 10; hosts whose nearest common ancestor is on level i have 2i - 1
// switches between them.
static void a_generalised_tree_has_its_counts(void **state)
{
	struct net_topology topology;
	struct net_facts facts;

	(void)state;
	shape_measure("xgft:2x3x4,1x2x5,cables=1x1x2", &topology, &facts);
	assert_int_equal(topology.hosts, 24);
	assert_int_equal(topology.switches, 12 + 8 + 10);
	assert_int_equal(topology.cable_count, 24 + 12 * 2 + 8 * 5 * 2);
	assert_int_equal(topology.ports[0], 2 + 2);
	assert_int_equal(topology.ports[12], 3 + 10);
	assert_int_equal(topology.ports[12 + 8], 8);
	assert_int_equal(facts.pairs[1], 24 * (2 - 1));
	assert_int_equal(facts.pairs[3], 24 * (6 - 2));
	assert_int_equal(facts.pairs[5], 24 * (24 - 6));
	net_facts_clear(&facts);
	net_topology_clear(&topology);
}

// Each switch has all its ports taken, but one of all where they are odd; no two cables join the
// same switches. Singla et al. (2012): any number of switches and ports will do.
static void jellyfish_are_simple_and_full(void **state)
{
	(void)state;
	for (uint32_t switches = 3; switches < 40; switches++) {
		const uint32_t degree = 2 + switches % 7 % (switches - 2);
		struct net_graph graph;
		uint32_t ends = 0;
		char text[64];

		(void)snprintf(text, sizeof(text), "jellyfish:%u,%u,%u,seed=%u", switches,
			       degree + 1, degree, switches);
		topology_bed_open(&graph, text);
		for (uint32_t i = 0; i < switches; i++)
			ends += topology_bed_neighbours(&graph, i);
		assert_int_equal(ends, switches * degree / 2 * 2);
		net_graph_close(&graph);
	}
}

// The mean distance of 245 switches of degree 11 is at least that of a tree whose switches are all
// as near as can be (Cerf et al. 1974, as in the paper's section 4): 11 at 1, 110 at 2, 123 at 3; a
// random graph is within a tenth.
static void jellyfish_are_short(void **state)
{
	const double bound = (11 + 2 * 110 + 3 * 123) / 244.;
	struct net_topology topology;
	struct net_facts facts;
	double mean;

	(void)state;
	shape_measure("jellyfish:245,12,11", &topology, &facts);
	mean = net_facts_mean_switches(&facts) - 1;
	assert_true(mean > bound && mean < 1.1 * bound);
	net_facts_clear(&facts);
	net_topology_clear(&topology);
}

static void shapes_that_do_not_exist_are_refused(void **state)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
		{"slimfly:1", "prime power 4w-1, 4w or 4w+1; the nearest is 3"},
		{"slimfly:6", "the nearest are 5 and 7"},
		{"slimfly:15", "the nearest are 13 and 16"},
		{"slimfly:224", "not a whole number from 1 to 223"},
		{"slimfly:222", "the nearest are 211 and 223"},
		{"dragonfly:2,4,2,groups=10", "8 global cables: use at most groups=9"},
		{"dragonfly:2,4", "expected global cables of a switch (H)"},
		{"dragonfly:2,global=random", "unknown word \"random\""},
		{"dragonfly+:2,2,2,2,groups=6", "4 global cables: use at most groups=5"},
		{"hyperx:4x4,cables=2", "cables: 1 numbers, expected 2"},
		{"flattened-butterfly:4,1", "number of stages (N): '1' is not"},
		{"xgft:4x4,1", "as many numbers of children (M) as of parents (W)"},
		{"xgft:4x4,2x2", "W and cables begin with 1"},
		{"leaf-spine:4,2,hosts=4,oversubscription=2", "one word too many"},
		{"leaf-spine:4,2,oversubscription=600", "switches of 1202 ports; at most 1024"},
		{"jellyfish:4,8,5", "no graph of 4 switches with 5 cables each"},
		{"jellyfish:9,4,4", "ports to other switches (R): '4' is not"},
		{"jellyfish:9,4,1", "one cable on each of 9 switches does not connect them"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct net_topology topology;
		struct tr_error err = {""};

		assert_int_equal(net_topology_make(&topology, rows[i].text, &err), TR_ERROR);
		if (!strstr(err.text, rows[i].why))
			fail_msg("%s: %s", rows[i].text, err.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shapes_have_their_published_sizes),
		cmocka_unit_test(dragonflies_are_cabled_as_arranged),
		cmocka_unit_test(dragonflies_join_each_two_groups_alike),
		cmocka_unit_test(the_slim_fly_of_five_is_hoffman_and_singletons),
		cmocka_unit_test(a_hyperx_has_its_distances),
		cmocka_unit_test(a_fat_tree_is_generalised),
		cmocka_unit_test(a_generalised_tree_has_its_counts),
		cmocka_unit_test(jellyfish_are_simple_and_full),
		cmocka_unit_test(jellyfish_are_short),
		cmocka_unit_test(shapes_that_do_not_exist_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
