// SPDX-License-Identifier: GPL-3.0-or-later
// Random trees of switches, regular or nearly so: a tree counts as regular exactly if plain sets of
// leaves say so, and routes computed from intervals of leaves are those from the distances of
// shortest ways, port by port, for each tie. FLIT_LONG=1 tries many more. The same of dimension
// order in grids, for the lowest ports.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routings_bed.h"

#include "net/routings/dimension.h"
#include "net/routings/nca.h"
#include "net/routings/tree_leaves.h"
#include "net/routings/ways.h"

#define SWITCHES 64u
#define PORTS 32u
#define CABLES 1024u

struct tree_bed {
	struct net_topology topology;
	uint32_t ports[SWITCHES];
	uint32_t used[SWITCHES];
	struct net_cable cables[CABLES];
	uint32_t ends[CABLES][2]; // switches, before the hosts are counted
	uint32_t joints;
	uint32_t hosts_of[SWITCHES];
	struct tr_random *random;
};

static uint32_t draw(struct tree_bed *bed, uint32_t below)
{
	return (uint32_t)tr_random_below(bed->random, below);
}

static void join(struct tree_bed *bed, uint32_t one, uint32_t other)
{
	if (bed->joints >= CABLES / 2 || bed->used[one] >= PORTS || bed->used[other] >= PORTS)
		return;
	bed->used[one]++;
	bed->used[other]++;
	bed->ends[bed->joints][0] = one;
	bed->ends[bed->joints++][1] = other;
}

// A part of a regular tree; its highest switches are first .. first + count - 1.
struct part {
	uint32_t first;
	uint32_t count;
};

static struct part grow_part(struct tree_bed *bed, uint32_t level)
{
	struct part children[3];
	struct part part = {0, 0};
	const uint32_t count = level > 0 ? 1 + draw(bed, level > 2 ? 2 : 3) : 0;

	for (uint32_t i = 0; i < count; i++)
		children[i] = grow_part(bed, level - 1);
	part = (struct part){bed->topology.switches, level > 0 ? 1 + draw(bed, 3) : 1};
	if (part.first + part.count > SWITCHES)
		part.count = SWITCHES - part.first;
	bed->topology.switches += part.count;
	if (level == 0 && part.count > 0)
		bed->hosts_of[part.first] = 1 + draw(bed, 3);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < children[i].count + 2 * part.count && part.count > 0; k++)
			if (children[i].count > 0)
				join(bed, children[i].first + k % children[i].count,
				     part.first + (k < part.count ? k : draw(bed, part.count)));
	return part;
}

// Adds a cable, takes one away, or gives a switch a host.
static void spoil(struct tree_bed *bed)
{
	switch (draw(bed, 3)) {
	case 0:
		join(bed, draw(bed, bed->topology.switches), draw(bed, bed->topology.switches));
		break;
	case 1:
		if (bed->joints > 0) {
			const uint32_t gone = draw(bed, bed->joints--);

			memcpy(bed->ends[gone], bed->ends[bed->joints], sizeof(bed->ends[gone]));
		}
		break;
	default: bed->hosts_of[draw(bed, bed->topology.switches)]++; break;
	}
}

static void lay(struct tree_bed *bed, struct net_end from, struct net_end to)
{
	bed->cables[bed->topology.cable_count++] = (struct net_cable){.ends = {from, to}};
}

// Cables in random order on ports in random order.
static void lay_all(struct tree_bed *bed)
{
	struct net_topology *topology = &bed->topology;
	uint32_t host = 0;

	for (uint32_t at = 0; at < topology->switches; at++)
		topology->hosts += bed->hosts_of[at];
	memset(bed->used, 0, sizeof(bed->used));
	for (uint32_t at = 0; at < topology->switches; at++)
		for (uint32_t i = 0; i < bed->hosts_of[at]; i++, host++)
			lay(bed, (struct net_end){host, 0},
			    (struct net_end){topology->hosts + at, bed->used[at]++});
	for (uint32_t left = bed->joints; left > 0; left--) {
		const uint32_t taken = draw(bed, left);
		const uint32_t one = bed->ends[taken][0], other = bed->ends[taken][1];

		memcpy(bed->ends[taken], bed->ends[left - 1], sizeof(bed->ends[taken]));
		lay(bed, (struct net_end){topology->hosts + one, bed->used[one]++},
		    (struct net_end){topology->hosts + other, bed->used[other]++});
	}
	for (uint32_t at = 0; at < topology->switches; at++)
		bed->ports[at] = bed->used[at] + 1;
	topology->ports = bed->ports;
	topology->cables = bed->cables;
}

static void draw_tree(struct tree_bed *bed, struct tr_random *random)
{
	memset(bed, 0, sizeof(*bed));
	bed->random = random;
	(void)grow_part(bed, draw(bed, 5));
	for (uint32_t i = draw(bed, 6); i < 2; i++)
		spoil(bed);
	lay_all(bed);
}

// ---- by sets of leaves

struct sets {
	const struct net_graph *graph;
	uint32_t level[SWITCHES];
	uint64_t below[SWITCHES];
};

static bool is_above(const struct sets *sets, uint32_t at, uint32_t port, uint32_t *next)
{
	*next = net_tree_peer(sets->graph, at, port);
	return *next != NET_NOBODY && sets->level[*next] > sets->level[at];
}

static uint32_t first_above(const struct sets *sets, uint32_t at)
{
	const uint32_t ports = net_graph_ports(sets->graph, at + sets->graph->hosts);
	uint32_t next;

	for (uint32_t port = 0; port < ports; port++)
		if (is_above(sets, at, port, &next))
			return next;
	return NET_NOBODY;
}

static bool are_alike(const struct sets *sets, uint32_t one, uint32_t other)
{
	while (one != other && one != NET_NOBODY && other != NET_NOBODY) {
		if (sets->below[one] != sets->below[other])
			return false;
		one = first_above(sets, one);
		other = first_above(sets, other);
	}
	return one == other;
}

// Adds what is below the switches below each one, until that adds nothing.
static void fill_sets(struct sets *sets)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (uint32_t at = 0; at < net_graph_switches(sets->graph); at++)
			for (uint32_t port = 0;
			     port < net_graph_ports(sets->graph, at + sets->graph->hosts); port++) {
				uint32_t next;

				if (!is_above(sets, at, port, &next) ||
				    (sets->below[at] & ~sets->below[next]) == 0)
					continue;
				sets->below[next] |= sets->below[at];
				changed = true;
			}
	}
}

static bool is_regular(const struct net_graph *graph, const struct net_tree *tree)
{
	struct sets sets = {.graph = graph};

	for (uint32_t at = 0; at < net_graph_switches(graph); at++) {
		sets.level[at] = tree->level[at];
		sets.below[at] = tree->level[at] == 0 ? UINT64_C(1) << at : 0;
	}
	fill_sets(&sets);
	for (uint32_t at = 0; at < net_graph_switches(graph); at++)
		for (uint32_t port = 0; port < net_graph_ports(graph, at + graph->hosts); port++) {
			const uint32_t next = net_tree_peer(graph, at, port);

			if (next == NET_NOBODY)
				continue;
			if (sets.level[next] == sets.level[at] ||
			    (sets.level[next] > sets.level[at] &&
			     !are_alike(&sets, next, first_above(&sets, at))))
				return false;
		}
	return true;
}

// ---- routes

static void check_pairs(const struct net_routes *routes, const struct net_routes *plain)
{
	uint16_t *ports = calloc(routes->longest, sizeof(*ports));
	uint16_t *expected = calloc(plain->longest, sizeof(*expected));

	assert_non_null(ports);
	assert_non_null(expected);
	assert_int_equal(routes->longest, plain->longest);
	assert_int_equal(routes->by_switch, plain->by_switch);
	for (uint32_t from = 0; from < routes->hosts; from++)
		for (uint32_t to = 0; to < routes->hosts; to++) {
			const uint32_t count = net_routes_get(routes, from, to, ports);

			assert_int_equal(count, net_routes_get(plain, from, to, expected));
			assert_memory_equal(ports, expected, count * sizeof(*ports));
		}
	free(ports);
	free(expected);
}

// Routes of a tie by both; whether the tree was regular and joined.
static bool check_tie(const struct tree_bed *bed, enum net_tie tie, uint64_t seed, bool regular)
{
	const struct net_tying tying = {tie, seed};
	struct net_routes routes, plain;
	struct tr_error err = {""}, other = {""};
	struct net_ways ways;
	const enum tr_status status = net_nca_regular(&routes, &bed->topology, &tying, &err);

	assert_int_equal(routes.form != NULL, regular);
	assert_int_equal(net_ways_open(&ways, &bed->topology, NULL, &tying, &other), TR_OK);
	if (!regular) {
		net_ways_close(&ways);
		return false;
	}
	assert_int_equal(net_ways_routes(&ways, &plain, &other), status);
	assert_string_equal(err.text, other.text);
	if (status == TR_OK)
		check_pairs(&routes, &plain);
	net_routes_clear(&routes);
	net_routes_clear(&plain);
	return status == TR_OK;
}

static void intervals_route_as_distances_do(void **state)
{
	static struct tree_bed bed;
	const unsigned rounds = routings_rounds() * 4;
	struct tr_random random;
	unsigned regular = 0;

	(void)state;
	tr_random_open(&random, 11, "trees");
	for (unsigned round = 0; round < rounds; round++) {
		struct net_graph graph;
		struct net_tree tree;

		draw_tree(&bed, &random);
		assert_int_equal(net_graph_open(&graph, &bed.topology, NULL), TR_OK);
		assert_int_equal(net_tree_open(&tree, &graph, NULL), TR_OK);
		assert_int_equal(tree.regular, is_regular(&graph, &tree));
		regular += check_tie(&bed, (enum net_tie)(round % NET_TIE_LOAD), round,
				     tree.regular);
		net_tree_close(&tree);
		net_graph_close(&graph);
	}
	assert_true(regular > rounds / 4 && regular < rounds * 9 / 10);
}

// Exchanges the ports of a switch's first and last cable to others.
static void exchange_ports(struct net_topology *topology, uint32_t at)
{
	struct net_end *ends[2] = {NULL, NULL};
	uint32_t found = 0, port;

	for (size_t i = 0; i < 2 * topology->cable_count; i++) {
		struct net_cable *cable = &topology->cables[i / 2];

		if (cable->ends[i % 2].node == topology->hosts + at &&
		    cable->ends[1 - i % 2].node >= topology->hosts)
			ends[found++ > 0] = &cable->ends[i % 2];
	}
	if (found < 2)
		return;
	port = ends[0]->port;
	ends[0]->port = ends[1]->port;
	ends[1]->port = port;
}

// Whether the network is routed without distances; if so, as with them.
static bool check_grid(const struct net_topology *topology)
{
	const struct net_tying tying = {NET_TIE_LOWEST, 0};
	struct net_routes routes, plain;
	struct net_ways ways;

	net_dimension_lowest(&routes, topology);
	if (!routes.form)
		return false;
	assert_int_equal(net_ways_open(&ways, topology, NULL, &tying, NULL), TR_OK);
	assert_int_equal(net_ways_routes(&ways, &plain, NULL), TR_OK);
	check_pairs(&routes, &plain);
	net_routes_clear(&routes);
	net_routes_clear(&plain);
	return true;
}

static void dimensions_route_as_distances_do(void **state)
{
	static const char *const networks[] = {
		"mesh:4x3",	      "mesh:2x3x2",  "torus:4x4",	    "torus:5x3",
		"torus:6x2x3",	      "hypercube:4", "torus:2x4,twice=yes", "mesh:3x3,hosts=2",
		"hyperx:2x5,hosts=2", "hyperx:3x4",  "hyperx:2x4x5"};

	(void)state;
	for (size_t i = 0; i < sizeof(networks) / sizeof(*networks); i++) {
		struct net_topology topology;
		uint32_t without = 0;

		assert_int_equal(net_topology_make(&topology, networks[i], NULL), TR_OK);
		assert_true(check_grid(&topology));
		for (uint32_t at = 0; at < topology.switches; at++) {
			exchange_ports(&topology, at);
			without += !check_grid(&topology);
			exchange_ports(&topology, at);
		}
		assert_true(without > 0);
		net_topology_clear(&topology);
	}
	for (int i = 0; i < 2; i++) {
		struct net_topology topology;

		assert_int_equal(net_topology_make(&topology, i == 0 ? "ring:5" : "full:4", NULL),
				 TR_OK);
		assert_false(check_grid(&topology));
		net_topology_clear(&topology);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(intervals_route_as_distances_do),
					   cmocka_unit_test(dimensions_route_as_distances_do)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
