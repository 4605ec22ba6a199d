// SPDX-License-Identifier: GPL-3.0-or-later
// Block designs against the tables and figures of Qiao (1997), section 5.3.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/studies/designs/blocks.h"
#include "net/studies/designs/design.h"
#include "net/topology/graph.h"
#include "net/topology/switch_facts.h"

static const struct net_base_search usual = {.restarts = 100, .seed = 1};

static void assert_base(const struct net_base *base, const char *expected)
{
	char text[NET_BASE_TEXT_BYTES];

	assert_string_equal(net_base_format(base, text, sizeof(text)), expected);
}

static struct net_base parse(uint32_t switches, const char *text)
{
	struct net_base base;
	struct tr_error err;

	assert_int_equal(net_base_parse(&base, switches, text, &err), TR_OK);
	return base;
}

static void open_blocks(struct net_blocks *blocks, uint32_t switches, const char *text)
{
	const struct net_base base = parse(switches, text);
	struct tr_error err;

	assert_int_equal(net_blocks_develop(blocks, &base, &err), TR_OK);
}

static void assert_trail(const struct net_blocks *blocks, const char *expected)
{
	char text[4096] = "";
	struct tr_error err;
	uint32_t *trail = net_blocks_trail(blocks, &err);

	assert_non_null(trail);
	for (uint32_t i = 0; i <= net_blocks_cables(blocks); i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%u", i > 0 ? " " : "",
			 blocks->objects[trail[i % net_blocks_cables(blocks)]]);
	assert_string_equal(text, expected);
	free(trail);
}

// How many blocks have both switches.
static uint32_t common_blocks(const struct net_blocks *blocks, uint32_t one, uint32_t other)
{
	uint32_t count = 0;

	for (uint32_t block = 0; block < blocks->count; block++) {
		uint32_t met = 0;

		for (uint32_t place = blocks->first[block]; place < blocks->first[block + 1];
		     place++)
			met += blocks->objects[place] == one || blocks->objects[place] == other;
		count += met == 2;
	}
	return count;
}

// Tables 5.2, 5.3 and 5.4, and what follows them in the order of the objects.
static void the_heuristic_finds_the_blocks_of_the_tables(void **state)
{
	struct net_base base = {.switches = 7, .parts = 1, .lengths = {3}};
	struct tr_error err;

	(void)state;
	assert_int_equal(net_base_find(&base, &usual, &err), TR_OK);
	net_base_arrange(&base);
	assert_base(&base, "0-1-3");
	base = (struct net_base){.switches = 14, .parts = 1, .lengths = {3}};
	assert_int_equal(net_base_find(&base, &usual, &err), TR_OK);
	net_base_arrange(&base);
	assert_base(&base, "0-1-3");
	base = (struct net_base){.switches = 14, .parts = 2, .lengths = {4, 2}};
	assert_int_equal(net_base_find(&base, &usual, &err), TR_OK);
	net_base_arrange(&base);
	assert_base(&base, "0-1-3-7+0-5");
	assert_int_equal(net_base_differences(&base), 13);
	base = parse(14, "0-1-3-7");
	assert_int_equal(net_base_differences(&base), 11); // all but 5 and 9
}

// The rules of p. 129: (0 1 3 6) of 10 switches stands as (3 1 0 6) in table 5.9; (0 7 1 3) of 14
// would double a cable.
static void base_blocks_are_ordered_as_printed(void **state)
{
	struct net_base base = parse(10, "0-1-3-6");
	struct net_base_order order = net_base_order_of(&base);

	(void)state;
	assert_int_equal(order.longest, 3);
	net_base_arrange(&base);
	assert_base(&base, "3-1-0-6");
	order = net_base_order_of(&base);
	assert_int_equal(order.doubled, 0);
	assert_int_equal(order.longest, 2);
	assert_int_equal(order.all_cables, 12); // a mean of 4/3 over 9 differences
	base = parse(14, "0-7-1-3");
	assert_int_equal(net_base_order_of(&base).doubled, 1);
	net_base_arrange(&base);
	assert_base(&base, "0-1-3-7");
	base = parse(14, "0-1-3-7+0-5");
	assert_int_equal(net_base_order_of(&base).longest, 3);
}

static void symmetric_designs_have_each_difference_once(void **state)
{
	// Property 1 for 3 <= r <= 20; 183 fits it and is not in the thesis's list.
	static const uint32_t objects[] = {3, 4, 5, 6, 8, 9, 10, 12, 14, 17, 18, 20};
	struct net_base base;
	struct tr_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(objects) / sizeof(*objects); i++) {
		const uint32_t r = objects[i];

		assert_int_equal(net_base_perfect(&base, r * r - r + 1, r, &err), TR_OK);
		// r (r - 1) ordered pairs have the r (r - 1) differences there are.
		assert_int_equal(net_base_differences(&base), r * (r - 1));
	}
	assert_int_equal(net_base_perfect(&base, 7, 3, &err), TR_OK);
	assert_base(&base, "0-1-3");
	assert_int_equal(net_base_perfect(&base, 13, 4, &err), TR_OK);
	assert_base(&base, "0-1-3-9");
	assert_int_equal(net_base_perfect(&base, 57, 8, &err), TR_OK);
	assert_base(&base, "0-1-3-13-32-36-43-52"); // q = 7
	assert_int_equal(net_base_perfect(&base, 73, 9, &err), TR_OK);
	assert_base(&base, "0-1-3-7-15-31-36-54-63");			  // q = 2^3
	assert_int_equal(net_base_perfect(&base, 43, 7, &err), TR_ERROR); // 6 is no prime power
	assert_non_null(strstr(err.text, "the nearest are 31,6 and 57,8"));
	assert_int_equal(net_base_perfect(&base, 10, 4, &err), TR_ERROR);
	assert_non_null(strstr(err.text, "the nearest are 7,3 and 13,4"));
}

static void trails_join_the_blocks(void **state)
{
	struct net_blocks blocks;
	struct tr_error err;
	uint32_t *trail;

	(void)state;
	open_blocks(&blocks, 7, "0-1-3"); // figure 5.1
	assert_trail(&blocks, "0 1 3 4 6 0 2 3 5 6 1 2 4 5 0");
	net_blocks_close(&blocks);
	open_blocks(&blocks, 10, "3-1-0-6");
	assert_trail(&blocks, "3 1 0 6 4 3 9 7 6 2 0 9 5 3 2 8 6 5 1 9 8 4 2 1 7 5 4 0 8 7 3");
	net_blocks_close(&blocks);
	open_blocks(
		&blocks, 14,
		"0-1-3-7"); // the step of 7 has a factor in common with 14: seven trails become one
	trail = net_blocks_trail(&blocks, &err);
	assert_non_null(trail);
	for (uint32_t i = 0; i < 42; i++)
		assert_int_equal(blocks.objects[trail[i] + 1], blocks.objects[trail[(i + 1) % 42]]);
	free(trail);
	net_blocks_close(&blocks);
	open_blocks(&blocks, 4, "0-2");
	assert_null(net_blocks_trail(&blocks, &err));
	assert_string_equal(err.text, "the blocks do not join switches 0 and 1");
	net_blocks_close(&blocks);
}

// Table 5.3: 5 and 10 are in no block of BBD(14,3); the tuning example of section 5.4.4 keeps the
// ends of a block.
static void blocks_may_miss_pairs_and_may_be_reordered(void **state)
{
	struct net_blocks blocks;
	struct net_legs legs;
	struct tr_error err;
	uint32_t *trail;

	(void)state;
	open_blocks(&blocks, 14, "0-1-3");
	assert_int_equal(common_blocks(&blocks, 5, 10), 0);
	assert_int_equal(common_blocks(&blocks, 5, 6), 1);
	assert_int_equal(net_legs_open(&legs, &blocks, &err), TR_OK);
	assert_int_equal(legs.broken, 14 * 7); // to differences 4, 5, 6, 7, 8, 9, 10
	assert_int_equal(legs.apart, 0);
	assert_int_equal(legs.cables[5 * 14 + 10],
			 3); // 5 = 3 + 2 by two blocks, two cables and one
	net_legs_close(&legs);
	net_blocks_close(&blocks);
	open_blocks(&blocks, 14, "0-1-3-7");
	blocks.objects[1] = 3;
	blocks.objects[2] = 1;
	trail = net_blocks_trail(&blocks, &err);
	assert_non_null(trail);
	free(trail);
	assert_int_equal(net_legs_open(&legs, &blocks, &err), TR_OK);
	assert_int_equal(legs.cables[0 * 14 + 3], 1);
	assert_int_equal(legs.cables[1 * 14 + 7], 1);
	assert_int_equal(legs.cables[3 * 14 + 7], 2);
	net_legs_close(&legs);
	net_blocks_close(&blocks);
}

// The distances round a ring of 10 at which its switches have exactly so many cables to others.
static void assert_jumps(const struct net_topology *topology, const uint32_t *expected)
{
	uint32_t jumps[6] = {0};

	for (size_t i = topology->hosts; i < topology->cable_count; i++) {
		const uint32_t a = topology->cables[i].ends[0].node;
		const uint32_t b = topology->cables[i].ends[1].node;
		const uint32_t d = a > b ? a - b : b - a;

		jumps[d < 10 - d ? d : 10 - d]++;
	}
	for (uint32_t d = 0; d < 6; d++)
		assert_int_equal(jumps[d], expected[d]);
}

// BBD(10,4) is the circulant graph C10(1,2,4) without a double cable, with a mean distance of 4/3,
// every two switches are in a block, at most two cables apart inside it; its port h + 2 j leads on
// by the j-th step of (3 1 0 6).
static void the_design_of_ten_switches_is_a_circulant(void **state)
{
	static const uint32_t jumps[] = {0, 10, 10, 0, 10, 0};
	static const uint32_t steps[] = {8, 9, 6}; // -2, -1 and 6 modulo 10
	struct net_switch_facts facts;
	struct net_topology topology;
	struct net_design design;
	struct net_graph graph;
	struct net_legs legs;
	struct tr_error err;

	(void)state;
	assert_int_equal(net_topology_make(&topology, "bbd:10,base=3-1-0-6,hosts=20", &err), TR_OK);
	assert_int_equal(net_topology_check(&topology, &err), TR_OK);
	assert_int_equal(topology.hosts, 200);
	assert_int_equal(topology.ports[0], 26);
	assert_jumps(&topology, jumps);
	assert_int_equal(net_graph_open(&graph, &topology, &err), TR_OK);
	for (uint32_t i = 0; i < 10; i++)
		for (uint32_t j = 0; j < 3; j++) {
			assert_int_equal(net_graph_peer(&graph, 200 + i, 20 + 2 * j)->node,
					 200 + (i + steps[j]) % 10);
			assert_int_equal(net_graph_peer(&graph, 200 + i, 20 + 2 * j)->port,
					 20 + 2 * j + 1);
		}
	assert_int_equal(net_switch_facts_find(&facts, &graph, &err), TR_OK);
	assert_int_equal(facts.all_distances, 120);
	assert_int_equal(facts.parallel, 0);
	assert_int_equal(facts.trail, NET_TRAIL_CLOSED);
	net_switch_facts_close(&facts);
	net_graph_close(&graph);
	net_topology_clear(&topology);
	assert_int_equal(net_design_open(&design, "bbd:10,4,base=3-1-0-6", &err), TR_OK);
	assert_int_equal(net_base_differences(&design.base), 9);
	for (uint32_t a = 0; a < 10; a++)
		for (uint32_t b = 0; b < a; b++)
			assert_true(common_blocks(&design.blocks, a, b) >= 1);
	assert_int_equal(net_legs_open(&legs, &design.blocks, &err), TR_OK);
	assert_int_equal(legs.longest, 2);
	assert_int_equal(legs.broken + legs.apart, 0);
	net_legs_close(&legs);
	net_design_close(&design);
}

// CBD(14,4+2): degree 8, 56 cables, ways of at most 3 inside blocks.
static void the_combined_design_has_its_sizes(void **state)
{
	struct net_design design;
	struct net_legs legs;
	struct tr_error err;

	(void)state;
	assert_int_equal(net_design_open(&design, "cbd:14,4+2", &err), TR_OK);
	assert_int_equal(net_base_degree(&design.base), 8);
	assert_int_equal(net_blocks_cables(&design.blocks), 56);
	assert_int_equal(net_legs_open(&legs, &design.blocks, &err), TR_OK);
	assert_int_equal(legs.longest, 3);
	net_legs_close(&legs);
	net_design_close(&design);
}

// 6 switches of 16 ports and 70 hosts: k = 4, r = 3; the design is the octahedron.
static void a_budget_leaves_ports_for_cables(void **state)
{
	struct net_topology topology;
	uint32_t degree, objects;
	struct tr_error err;

	(void)state;
	assert_int_equal(net_base_budget(6, 16, 70, &degree, &objects, &err), TR_OK);
	assert_int_equal(degree, 4);
	assert_int_equal(objects, 3);
	assert_int_equal(net_base_budget(6, 16, 85, &degree, &objects, &err), TR_ERROR);
	assert_int_equal(net_base_budget(6, 16, 97, &degree, &objects, &err), TR_ERROR);
	assert_int_equal(net_topology_make(&topology, "bbd:6,total=70,ports=16", &err), TR_OK);
	assert_int_equal(topology.hosts, 70);
	assert_int_equal(topology.cable_count, 70 + 12);
	net_topology_clear(&topology);
}

static void arguments_are_refused(void **state)
{
	static const char *const rows[][2] = {
		{"bbd:1,2", "'1' is not a whole number from 2 to 65536"},
		{"bbd:10", "expected the objects of a block (R), ports= to work it out, or base="},
		{"bbd:4,5", "blocks of 5 objects; expected 2 to 4"},
		{"bbd:10,4,base=0-1-3", "base=0-1-3 has other numbers of objects than asked for"},
		{"bbd:10,base=0-1-10", "base block: '10' is not a whole number from 0 to 9"},
		{"bbd:10,base=0-1-0", "base block: 0 is given twice"},
		{"bbd:10,base=0", "a base block has at least 2 objects"},
		{"bbd:10,base=0-1+2", "a base block has at least 2 objects"},
		{"bbd:10,base=", "base block: '' is not a whole number from 0 to 9"},
		{"bbd:10,4,search=quick", "search: unknown word \"quick\""},
		{"bbd:10,4,hosts=2,total=3", "only one of them"},
		{"bbd:10,4,hosts=2,ports=7",
		 "2 hosts and 6 cables of a switch need 8 ports, not 7"},
		{"bbd:4,base=0-2", "the blocks do not join switches 0 and 1"},
		{"cbd:14,4+", "'' is not a whole number from 2 to 512"},
		{"bibd:7,base=0-1-3", "\"base=0-1-3\" is one word too many"},
	};
	struct net_topology topology;
	struct tr_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(net_topology_make(&topology, rows[i][0], &err), TR_ERROR);
		if (!strstr(err.text, rows[i][1]))
			fail_msg("%s: %s", rows[i][0], err.text);
	}
}

static void damaged_blocks_are_refused(void **state)
{
	static const char *const rows[][2] = {
		{"", "file:0: truncated: the line \"end\" is missing"},
		{"flitline-blocks 2\n", "file:1: expected \"flitline-blocks 1\""},
		{"flitline-blocks 1\nblock 0 1\n", "file:2: expected switches, found \"block\""},
		{"flitline-blocks 1\nswitches 1\n",
		 "file:2: expected \"switches N\", once, N from 2 to 65536"},
		{"flitline-blocks 1\nswitches 3\nswitches 3\n",
		 "file:3: expected \"switches N\", once, N from 2 to 65536"},
		{"flitline-blocks 1\nswitches 3\nend\n", "file:3: expected block, found \"end\""},
		{"flitline-blocks 1\nswitches 3\nblock 0\n",
		 "file:3: expected \"block SWITCH SWITCH...\""},
		{"flitline-blocks 1\nswitches 3\nblock 0 3\n",
		 "file:3: '3' is not a whole number from 0 to 2"},
		{"flitline-blocks 1\nswitches 3\nblock 0 1 0\n",
		 "file:3: switch 0 is twice in the block"},
		{"flitline-blocks 1\nswitches 3\nblock 0 1\n",
		 "file:3: truncated: the line \"end\" is missing"},
		{"flitline-blocks 1\nswitches 3\nblock 0 1\nend\n#\nend\n",
		 "file:6: expected nothing after \"end\""},
	};
	struct net_blocks blocks;
	struct tr_source *source;
	struct tr_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(tr_source_open_memory(&source, rows[i][0], strlen(rows[i][0]),
						       "file", &err),
				 TR_OK);
		assert_int_equal(net_blocks_read(&blocks, source, &err), TR_ERROR);
		assert_string_equal(err.text, rows[i][1]);
		assert_null(blocks.objects);
		tr_source_close(source);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_heuristic_finds_the_blocks_of_the_tables),
		cmocka_unit_test(base_blocks_are_ordered_as_printed),
		cmocka_unit_test(symmetric_designs_have_each_difference_once),
		cmocka_unit_test(trails_join_the_blocks),
		cmocka_unit_test(blocks_may_miss_pairs_and_may_be_reordered),
		cmocka_unit_test(the_design_of_ten_switches_is_a_circulant),
		cmocka_unit_test(the_combined_design_has_its_sizes),
		cmocka_unit_test(a_budget_leaves_ports_for_cables),
		cmocka_unit_test(arguments_are_refused),
		cmocka_unit_test(damaged_blocks_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
