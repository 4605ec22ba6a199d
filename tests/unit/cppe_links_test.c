// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of switches and links in Qu (2001), sections 5.1.5 and 5.1.7, as flit-topology(5)
// derives them from ports.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/engine.h"
#include "net/topology/graph.h"

#define TEXT_BYTES 1024u
#define LINKS_MAX 256u

static void make(struct net_topology *topology, const char *network)
{
	struct tr_error err;

	assert_int_equal(net_topology_make(topology, network, &err), TR_OK);
	assert_int_equal(net_topology_check(topology, &err), TR_OK);
}

// The number of a cable by the name of its first link, "switchI.P>switchJ.Q", with one host on each
// switch: of a grid I D + d for port 1 + 2d, of a hypercube I D + b for port 1 + b. UINT_MAX for a
// host's cable.
static unsigned link_number(const struct net_topology *topology, uint32_t cable,
			    unsigned dimensions, bool cube, unsigned ends[2])
{
	char name[NET_LINK_NAME_MAX];
	unsigned port;

	net_link_name(topology, 2 * cable, name, sizeof(name));
	if (sscanf(name, "switch%u.%u>switch%u", &ends[0], &port, &ends[1]) != 3)
		return UINT32_MAX;
	return ends[0] * dimensions + (cube ? port - 1 : (port - 1) / 2);
}

// Writes "number:end-end" of all cables between switches by number; returns how many there are.
static unsigned list_links(const char *network, unsigned dimensions, char *out)
{
	struct net_topology topology;
	unsigned ends[LINKS_MAX][2], number, count = 0;
	bool used[LINKS_MAX] = {false};

	make(&topology, network);
	for (uint32_t c = 0; c < topology.cable_count; c++) {
		unsigned pair[2];

		number = link_number(&topology, c, dimensions,
				     strncmp(network, "hypercube", 9) == 0, pair);
		if (number == UINT32_MAX)
			continue;
		assert_true(number < LINKS_MAX && !used[number]);
		used[number] = true;
		memcpy(ends[number], pair, sizeof(pair));
		count++;
	}
	*out = '\0';
	for (number = 0; number < LINKS_MAX && strlen(out) < TEXT_BYTES - 32; number++)
		if (used[number])
			(void)snprintf(out + strlen(out), 32, "%s%u:%u-%u", *out == '\0' ? "" : " ",
				       number, ends[number][0], ends[number][1]);
	net_topology_clear(&topology);
	return count;
}

// The examples of Fig. 15 (whose picture is lost) by the rule of the text.
static void links_have_the_numbers_of_the_thesis(void **state)
{
	static const struct {
		const char *network;
		unsigned dimensions;
		const char *links;
	} rows[] = {
		{"ring:4", 1, "0:0-1 1:1-2 2:2-3 3:3-0"},
		{"line:4", 1, "0:0-1 1:1-2 2:2-3"},
		{"ring:2,twice=yes", 1, "0:0-1 1:1-0"},
		{"torus:4x3", 2,
		 "0:0-1 1:0-4 2:1-2 3:1-5 4:2-3 5:2-6 6:3-0 7:3-7 8:4-5 9:4-8 10:5-6 11:5-9 12:6-7 "
		 "13:6-10 14:7-4 15:7-11 16:8-9 "
		 "17:8-0 18:9-10 19:9-1 20:10-11 21:10-2 22:11-8 23:11-3"},
		{"mesh:4x3", 2,
		 "0:0-1 1:0-4 2:1-2 3:1-5 4:2-3 5:2-6 7:3-7 8:4-5 9:4-8 10:5-6 11:5-9 12:6-7 "
		 "13:6-10 15:7-11 16:8-9 18:9-10 "
		 "20:10-11"},
		{"hypercube:3", 3,
		 "0:0-1 1:0-2 2:0-4 4:1-3 5:1-5 6:2-3 8:2-6 11:3-7 12:4-5 13:4-6 16:5-7 18:6-7"},
	};
	char text[TEXT_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		(void)list_links(rows[i].network, rows[i].dimensions, text);
		assert_string_equal(text, rows[i].links);
	}
}

static void there_are_so_many_links(void **state)
{
	static const struct {
		const char *network;
		unsigned dimensions, links;
	} rows[] = {{"torus:3x3x3", 3, 81},
		    {"mesh:4x3x2", 3, 46},
		    {"hypercube:4", 4, 32},
		    {"torus:4x3x2", 3, 60},
		    {"torus:4x3x2,twice=yes", 3, 72},
		    {"torus:8x8", 2, 128},
		    {"mesh:8x8", 2, 112}};
	char text[TEXT_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(list_links(rows[i].network, rows[i].dimensions, text),
				 rows[i].links);
}

// Different numbers that planes P, rows R and columns C get by (p factor + r) C + c; *highest: the
// highest.
static unsigned count_numbers(const unsigned sizes[3], unsigned factor, unsigned *highest)
{
	bool used[LINKS_MAX] = {false};
	unsigned count = 0;

	*highest = 0;
	for (unsigned p = 0; p < sizes[0]; p++)
		for (unsigned r = 0; r < sizes[1]; r++)
			for (unsigned c = 0; c < sizes[2]; c++) {
				const unsigned number = (p * factor + r) * sizes[2] + c;

				count += !used[number];
				used[number] = true;
				*highest = number > *highest ? number : *highest;
			}
	return count;
}

// The formula in print has P where R is right.
static void printed_numbers_of_three_dimensions_collide(void **state)
{
	static const struct {
		unsigned sizes[3], printed, highest;
	} rows[] = {
		{{2, 3, 4}, 20, 19}, {{2, 4, 4}, 24, 23}, {{3, 3, 3}, 27, 26}, {{4, 3, 2}, 24, 29}};
	unsigned highest;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const unsigned *sizes = rows[i].sizes, all = sizes[0] * sizes[1] * sizes[2];

		assert_int_equal(count_numbers(sizes, sizes[0], &highest), rows[i].printed);
		assert_int_equal(highest, rows[i].highest);
		assert_int_equal(count_numbers(sizes, sizes[1], &highest), all);
		assert_int_equal(highest, all - 1);
	}
}

// Of a torus of P planes, R rows and C columns: the next switch in each direction is that of the
// repaired formula.
static void switches_have_the_repaired_numbers(void **state)
{
	enum { P = 4, R = 3, C = 5 };
	struct net_topology topology;
	struct net_graph graph;
	struct tr_error err;

	(void)state;
	make(&topology, "torus:5x3x4");
	assert_int_equal(net_graph_open(&graph, &topology, &err), TR_OK);
	for (uint32_t p = 0; p < P; p++)
		for (uint32_t r = 0; r < R; r++)
			for (uint32_t c = 0; c < C; c++) {
				const uint32_t at = (p * R + r) * C + c + graph.hosts;
				const uint32_t next[] = {(p * R + r) * C + (c + 1) % C,
							 (p * R + (r + 1) % R) * C + c,
							 ((p + 1) % P * R + r) * C + c};

				for (uint32_t d = 0; d < 3; d++)
					assert_int_equal(
						net_graph_peer(&graph, at, 1 + 2 * d)->node,
						next[d] + graph.hosts);
			}
	net_graph_close(&graph);
	net_topology_clear(&topology);
}

// Every two switches are joined, by the ports that the page says.
static void fully_connected_switches_are_joined(void **state)
{
	struct net_topology topology;
	struct net_graph graph;
	struct tr_error err;

	(void)state;
	make(&topology, "full:7,hosts=2");
	assert_int_equal(topology.hosts, 14);
	assert_int_equal(net_graph_open(&graph, &topology, &err), TR_OK);
	for (uint32_t i = 0; i < 7; i++)
		for (uint32_t j = 0; j < 7; j++)
			if (i != j)
				assert_int_equal(
					net_graph_peer(&graph, 14 + i, 2 + (j < i ? j : j - 1))
						->node,
					14 + j);
	net_graph_close(&graph);
	net_topology_clear(&topology);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_have_the_numbers_of_the_thesis),
		cmocka_unit_test(there_are_so_many_links),
		cmocka_unit_test(printed_numbers_of_three_dimensions_collide),
		cmocka_unit_test(switches_have_the_repaired_numbers),
		cmocka_unit_test(fully_connected_switches_are_joined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
