// SPDX-License-Identifier: GPL-3.0-or-later
// What placements cost, closed forms, and the search. The counts of maps of a ring on a line, and
// the figures of the shifts of Cannon's algorithm, were computed from the rules alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "input/closed_map.h"
#include "input/placement.h"
#include "net/routings/routing.h"
#include "value/random.h"

// A virtual network on a real one, with the routes of a rule.
struct bed {
	struct net_topology topology;
	struct net_routes routes;
	struct place_pattern pattern;
	struct placement placement;
};

// Each cable between switches of the virtual network is an edge of weight 1.
static void add_edges(struct place_pattern *pattern, const char *virtual)
{
	struct net_topology topology;
	struct tr_error err;

	assert_int_equal(net_topology_make(&topology, virtual, &err), TR_OK);
	pattern->nodes = topology.hosts;
	for (size_t i = 0; i < topology.cable_count; i++)
		if (topology.cables[i].ends[0].node >= topology.hosts)
			assert_int_equal(
				place_pattern_add(
					pattern, topology.cables[i].ends[0].node - topology.hosts,
					topology.cables[i].ends[1].node - topology.hosts, 1, &err),
				TR_OK);
	net_topology_clear(&topology);
}

static void bed_start(struct bed *bed, const char *network)
{
	struct tr_error err;

	*bed = (struct bed){0};
	assert_int_equal(net_topology_make(&bed->topology, network, &err), TR_OK);
	assert_int_equal(net_routing_make(&bed->routes, &bed->topology, "dimension", &err), TR_OK);
}

static void bed_ready(struct bed *bed)
{
	struct tr_error err;

	assert_int_equal(
		placement_open(&bed->placement, &bed->pattern, &bed->topology, &bed->routes, &err),
		TR_OK);
}

static void bed_open(struct bed *bed, const char *virtual, const char *network)
{
	bed_start(bed, network);
	add_edges(&bed->pattern, virtual);
	bed_ready(bed);
}

static void bed_close(struct bed *bed)
{
	placement_close(&bed->placement);
	place_pattern_clear(&bed->pattern);
	net_routes_clear(&bed->routes);
	net_topology_clear(&bed->topology);
}

// The name of the closed form, and its host_of; "none".
static const char *set_form(struct bed *bed, const char *virtual, const char *network)
{
	const struct closed_map *form;
	struct map_grid from, to;

	assert_true(map_grid_read(&from, virtual) && map_grid_read(&to, network));
	form = closed_map_find(&from, &to);
	for (uint32_t i = 0; form && i < bed->pattern.nodes; i++)
		bed->placement.host_of[i] = form->host(&from, &to, i);
	return form ? form->name : "none";
}

struct census {
	unsigned least;		// maps with a load of 2
	unsigned dilations[8];	// those, by dilation
	unsigned loads[9];	// all maps
	unsigned hops_of_least; // of one of those
	bool hops_differ;
};

static void count_map(struct bed *bed, struct census *census)
{
	const struct place_cost cost = placement_cost(&bed->placement);

	census->loads[(unsigned)cost.load]++;
	if (cost.load > 2)
		return;
	census->hops_differ = census->hops_differ ||
			      (census->least > 0 && census->hops_of_least != (unsigned)cost.hops);
	census->hops_of_least = (unsigned)cost.hops;
	census->least++;
	census->dilations[cost.dilation]++;
}

// All orders of the hosts from place on.
static void count_orders(struct bed *bed, struct census *census, uint32_t place)
{
	uint32_t *host_of = bed->placement.host_of;

	if (place == 8) {
		count_map(bed, census);
		return;
	}
	for (uint32_t i = place; i < 8; i++) {
		const uint32_t here = host_of[place], there = host_of[i];

		host_of[place] = there;
		host_of[i] = here;
		count_orders(bed, census, place + 1);
		host_of[place] = here;
		host_of[i] = there;
	}
}

// Of the 40,320 maps of a ring of 8 on a line of 8, 512 have the least load.
static void maps_of_a_ring_on_a_line_are_as_counted(void **state)
{
	static const unsigned dilations[8] = {0, 0, 16, 192, 176, 80, 32, 16};
	struct census census = {0};
	struct bed bed;

	(void)state;
	bed_open(&bed, "ring:8", "line:8");
	count_orders(&bed, &census, 0);
	assert_int_equal(census.least, 512);
	assert_int_equal(census.loads[2] + census.loads[4] + census.loads[6] + census.loads[8],
			 40320);
	assert_memory_equal(census.dilations, dilations, sizeof(dilations));
	assert_int_equal(census.hops_of_least, 14);
	assert_false(census.hops_differ);
	assert_true(placement_bound(&bed.placement) == 2);
	bed_close(&bed);
}

static void the_ring_folds_as_proposed(void **state)
{
	static const uint32_t fold[] = {0, 2, 4, 6, 7, 5, 3, 1};
	struct place_cost cost;
	struct bed bed;

	(void)state;
	bed_open(&bed, "ring:8", "line:8");
	cost = placement_cost(&bed.placement);
	assert_true(cost.load == 2 && cost.dilation == 7 && cost.hops == 14);
	assert_string_equal(set_form(&bed, "ring:8", "line:8"), "fold");
	assert_memory_equal(bed.placement.host_of, fold, sizeof(fold));
	cost = placement_cost(&bed.placement);
	assert_true(cost.load == 2 && cost.dilation == 2 && cost.hops == 14);
	bed_close(&bed);
}

// The shifts left and up of an 8x8 torus on an 8x8 mesh: by numbers and folded.
static void both_maps_of_cannons_shifts_have_one_load(void **state)
{
	struct place_cost cost;
	struct bed bed;

	(void)state;
	bed_open(&bed, "torus:8x8", "mesh:8x8");
	assert_int_equal(bed.pattern.count, 128);
	cost = placement_cost(&bed.placement);
	assert_true(cost.load == 2 && cost.dilation == 7 && cost.hops == 224);
	assert_string_equal(set_form(&bed, "torus:8x8", "mesh:8x8"), "fold");
	cost = placement_cost(&bed.placement);
	assert_true(cost.load == 2 && cost.dilation == 2 && cost.hops == 224);
	bed_close(&bed);
}

// What each form guarantees, and that no host stands twice.
static void closed_forms_keep_neighbours_near(void **state)
{
	static const struct {
		const char *from, *to, *form;
		uint32_t dilation;
		double load;
	} rows[] = {
		{"line:5", "line:5", "ids", 1, 1},
		{"line:5", "ring:5", "ids", 1, 1},
		{"torus:4x3", "torus:4x3", "ids", 1, 1},
		{"hypercube:4", "hypercube:4", "ids", 1, 1},
		{"ring:9", "line:9", "fold", 2, 2},
		{"ring:3", "line:3", "fold", 2, 2},
		{"torus:5x4x3", "mesh:5x4x3", "fold", 2, 2},
		{"line:12", "mesh:4x3", "snake", 1, 1},
		{"line:60", "mesh:5x4x3", "snake", 1, 1},
		{"line:60", "torus:5x4x3", "snake", 1, 1},
		{"ring:16", "torus:4x4", "snake", 1, 1},
		{"ring:16", "hypercube:4", "gray", 1, 1},
		{"torus:4x8", "hypercube:5", "gray", 1, 1},
		{"mesh:2x4x8", "hypercube:6", "gray", 1, 1},
		{"line:32", "hypercube:5", "gray", 1, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		bool taken[64] = {false};
		struct place_cost cost;
		struct bed bed;

		bed_open(&bed, rows[i].from, rows[i].to);
		assert_string_equal(set_form(&bed, rows[i].from, rows[i].to), rows[i].form);
		for (uint32_t node = 0; node < bed.pattern.nodes; node++) {
			assert_true(bed.placement.host_of[node] < bed.topology.hosts);
			assert_false(taken[bed.placement.host_of[node]]);
			taken[bed.placement.host_of[node]] = true;
		}
		cost = placement_cost(&bed.placement);
		assert_int_equal(cost.dilation, rows[i].dilation);
		assert_true(cost.load == rows[i].load &&
			    placement_bound(&bed.placement) <= cost.load);
		bed_close(&bed);
	}
}

static void other_pairs_have_no_closed_form(void **state)
{
	static const char *const rows[][2] = {{"ring:8", "line:9"},
					      {"torus:4x3", "mesh:3x4"},
					      {"hypercube:3", "mesh:4x2"},
					      {"ring:12", "hypercube:4"},
					      {"torus:3x4", "ring:12"}};
	struct map_grid from, to;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_true(map_grid_read(&from, rows[i][0]) && map_grid_read(&to, rows[i][1]));
		assert_null(closed_map_find(&from, &to));
	}
	assert_false(map_grid_read(&from, "fattree:16"));
	assert_false(map_grid_read(&from, "mesh:4x4,hosts=2"));
	assert_false(map_grid_read(&from, "ring:many"));
}

static void add_random(struct place_pattern *pattern, struct tr_random *random, uint32_t nodes,
		       uint32_t edges)
{
	struct tr_error err;

	pattern->nodes = nodes;
	for (uint32_t i = 0; i < edges; i++)
		assert_int_equal(place_pattern_add(pattern,
						   (uint32_t)tr_random_below(random, nodes),
						   (uint32_t)tr_random_below(random, nodes),
						   (double)(1 + tr_random_below(random, 9)), &err),
				 TR_OK);
	place_pattern_merge(pattern);
}

// The search keeps its sums right, never ends above its start, and never below the bound; seeds
// repeat.
static void the_search_only_improves(void **state)
{
	static const char *const networks[] = {"line:9",      "mesh:3x4", "torus:4x4",
					       "hypercube:4", "ring:13",  "mesh:4x3,hosts=2"};
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "placements");
	for (unsigned i = 0; i < 60; i++) {
		struct place_cost start, found, again, measured;
		struct bed bed;

		bed_start(&bed, networks[i % 6]);
		add_random(&bed.pattern, &random, bed.topology.hosts - i % 3, 20 + i);
		bed_ready(&bed);
		start = placement_cost(&bed.placement);
		found = placement_climb(&bed.placement, i, 500);
		measured = placement_cost(&bed.placement);
		assert_false(place_cost_less(&start, &found));
		assert_false(place_cost_less(&found, &measured) ||
			     place_cost_less(&measured, &found));
		assert_true(placement_bound(&bed.placement) <= found.load);
		for (uint32_t node = 0; node < bed.pattern.nodes; node++)
			bed.placement.host_of[node] = node;
		again = placement_climb(&bed.placement, i, 500);
		assert_false(place_cost_less(&again, &found) || place_cost_less(&found, &again));
		bed_close(&bed);
	}
}

// A ring whose nodes have lost their order finds a map of the least load again.
static void the_search_reaches_the_least_load(void **state)
{
	struct place_cost cost;
	struct bed bed;

	(void)state;
	for (uint64_t seed = 0; seed < 10; seed++) {
		uint32_t order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
		struct tr_random random;
		struct tr_error err;

		tr_random_open(&random, seed, "order");
		tr_random_shuffle(&random, order, 8);
		bed_start(&bed, "line:8");
		bed.pattern.nodes = 8;
		for (uint32_t i = 0; i < 8; i++)
			assert_int_equal(place_pattern_add(&bed.pattern, order[i],
							   order[(i + 1) % 8], 1, &err),
					 TR_OK);
		bed_ready(&bed);
		cost = placement_climb(&bed.placement, seed, 20000);
		assert_true(cost.load == 2 && cost.hops == 14);
		assert_true(cost.dilation <= 3);
		bed_close(&bed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maps_of_a_ring_on_a_line_are_as_counted),
		cmocka_unit_test(the_ring_folds_as_proposed),
		cmocka_unit_test(both_maps_of_cannons_shifts_have_one_load),
		cmocka_unit_test(closed_forms_keep_neighbours_near),
		cmocka_unit_test(other_pairs_have_no_closed_form),
		cmocka_unit_test(the_search_only_improves),
		cmocka_unit_test(the_search_reaches_the_least_load),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
