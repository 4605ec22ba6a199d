// SPDX-License-Identifier: GPL-3.0-or-later
// Routes with a lane for each pair, on random networks and on ones whose number of lanes is known:
// every route leads to its host, is a shortest one where that is promised, and no worms wait for
// one another in a cycle by link and lane. FLIT_LONG=1 tries many more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routings_bed.h"

#include "net/routes/channel_load.h"
#include "net/routings/acyclic.h"
#include "net/routings/routing.h"

// Lanes that some pair uses.
static uint32_t count_lanes(const struct net_routes *routes)
{
	bool used[NET_LANES_MAX] = {false};
	uint16_t *steps = calloc(routes->longest, sizeof(*steps));
	uint32_t lanes = 0;

	for (uint32_t pair = 0; pair < routes->hosts * routes->hosts; pair++) {
		const uint32_t count = net_routes_get(routes, pair / routes->hosts,
						      pair % routes->hosts, steps);

		used[0] |= count == 0;
		for (uint32_t i = 0; count != NET_NO_ROUTE && i < count; i++)
			used[net_step_lane(steps[i])] = true;
	}
	free(steps);
	for (uint32_t lane = 0; lane < NET_LANES_MAX; lane++)
		lanes += used[lane];
	return lanes;
}

static uint32_t check(const struct net_topology *topology, const struct net_graph *graph,
		      const char *rule, bool shortest)
{
	struct net_routes routes;
	uint32_t lanes;

	assert_int_equal(net_routing_make(&routes, topology, rule, NULL), TR_OK);
	assert_null(routes.choices);
	routings_check_lists(graph, &routes, shortest);
	assert_false(routings_cycle(graph, &routes));
	lanes = count_lanes(&routes);
	assert_true(lanes <= (routes.lanes == 0 ? 1 : routes.lanes));
	if (shortest)
		assert_int_equal(lanes, routes.lanes == 0 ? 1 : routes.lanes);
	net_routes_clear(&routes);
	return lanes;
}

static void random_networks(void **state)
{
	static const char *const rules[] = {"lash", "lash:tie=lowest", "dfsssp"};
	struct tr_random random;
	static struct routings_bed bed;

	(void)state;
	tr_random_open(&random, 8, "routings");
	for (unsigned round = 0; round < routings_rounds(); round++) {
		char rule[40];

		routings_draw(&bed, &random);
		check(&bed.topology, &bed.graph, rules[round % 3], true);
		snprintf(rule, sizeof(rule), "nue:lanes=%u", 1 + round % 4);
		assert_true(check(&bed.topology, &bed.graph, rule, false) <= 1 + round % 4);
		net_graph_close(&bed.graph);
	}
}

// In a ring of five or more, the shortest routes of one direction close one cycle, and a lane that
// lacks one of them has none: two lanes are enough and needed. Of three, no route has a turn; in
// trees, meshes and hypercubes in the order of dimensions there is no cycle.
static void lanes_of_rings(void **state)
{
	static struct routings_bed bed;
	struct net_routes routes;
	struct tr_error err;

	(void)state;
	for (uint32_t switches = 3; switches <= ROUTINGS_SWITCHES; switches++) {
		routings_ring(&bed, switches);
		for (unsigned i = 0; i < 2; i++) {
			const uint32_t lanes = check(&bed.topology, &bed.graph,
						     i == 0 ? "lash" : "dfsssp", true);

			if (switches != 4)
				assert_int_equal(lanes, switches == 3 ? 1 : 2);
			if (switches < 5)
				continue;
			assert_int_equal(
				net_routing_make(&routes, &bed.topology,
						 i == 0 ? "lash:lanes=1" : "dfsssp:lanes=1", &err),
				TR_ERROR);
			assert_non_null(strstr(err.text, "lanes=1 is too few"));
		}
		assert_int_equal(check(&bed.topology, &bed.graph, "nue", false), 1);
		net_graph_close(&bed.graph);
	}
}

static uint32_t lanes_of(const char *network, const char *rule, bool shortest)
{
	struct net_topology topology;
	struct net_graph graph;
	uint32_t lanes;

	assert_int_equal(net_topology_make(&topology, network, NULL), TR_OK);
	assert_int_equal(net_graph_open(&graph, &topology, NULL), TR_OK);
	lanes = check(&topology, &graph, rule, shortest);
	net_graph_close(&graph);
	net_topology_clear(&topology);
	return lanes;
}

// A torus needs two lanes, as its rings do; of the greedy choices here none takes more than four.
static void lanes_of_grids_and_trees(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const char *rule = i == 0 ? "lash:tie=lowest" : "dfsssp";

		assert_int_equal(lanes_of("switch:9", rule, true), 1);
		assert_int_equal(lanes_of("fattree:2,4", rule, true), 1);
		assert_in_range(lanes_of("torus:5x5,hosts=1", rule, true), 2, 4);
		assert_in_range(lanes_of("torus:6x3x2,hosts=1", rule, true), 2, 4);
	}
	assert_int_equal(lanes_of("mesh:6x5", "lash:tie=lowest", true), 1);
	assert_int_equal(lanes_of("hypercube:4", "lash:tie=lowest", true), 1);
	for (unsigned lanes = 1; lanes <= 5; lanes++) {
		char rule[40];

		snprintf(rule, sizeof(rule), "nue:lanes=%u", lanes);
		assert_int_equal(lanes_of("torus:5x5,hosts=1", rule, false), lanes);
	}
}

// A cable between two hosts, a lone switch, and switches of which some have no hosts.
static void small_networks(void **state)
{
	static const char *const networks[] = {"direct", "switch:1", "switch:2", "ring:3",
					       "fattree:3,3"};
	static const char *const rules[] = {"lash", "dfsssp", "nue", "nue:lanes=64", "smart"};

	(void)state;
	for (size_t i = 0; i < sizeof(networks) / sizeof(*networks); i++)
		for (size_t n = 0; n < sizeof(rules) / sizeof(*rules); n++)
			assert_true(lanes_of(networks[i], rules[n], n < 2) >= 1);
}

// Searches that leave switches out: 19 of the first network's destinations are mended by a
// neighbour's next channel, and one of the second's cannot be and follows the tree.
static void searches_that_leave_switches_out(void **state)
{
	(void)state;
	assert_int_equal(lanes_of("random-regular:100,4,hosts=1", "nue", false), 1);
	assert_int_equal(lanes_of("random-regular:60,3,hosts=1,seed=6", "nue:lanes=3", false), 3);
}

// What the routes of a rule add up to: switches that they pass, and the loads of the fullest
// channels between switches.
struct sums {
	uint64_t length;
	double fullest;
};

static void add_up(const struct routings_bed *bed, const char *rule, struct sums *sums)
{
	struct net_routes routes;
	struct net_loads loads;
	double most = 0;

	assert_int_equal(net_routing_make(&routes, &bed->topology, rule, NULL), TR_OK);
	assert_int_equal(
		net_loads_find(&loads, &bed->graph, &routes, (struct net_demand){NULL}, NULL),
		TR_OK);
	for (uint32_t link = 0; link < loads.count; link++)
		if (bed->topology.cables[link / 2].ends[0].node >= bed->topology.hosts &&
		    loads.links[link] > most)
			most = loads.links[link];
	sums->length += (uint64_t)loads.switches;
	sums->fullest += most;
	net_loads_clear(&loads);
	net_routes_clear(&routes);
}

// Shortest routes laid by load fill the fullest channel less than those by the lowest ports; those
// inside the dependency graph are shorter than up*/down* on one lane, and shorter still on three.
static void routes_are_balanced_and_short(void **state)
{
	static const char *const rules[] = {
		"shortest:tie=lowest", "lash", "dfsssp", "updown", "nue", "nue:lanes=3"};
	struct sums sums[6] = {{0}};
	struct tr_random random;
	static struct routings_bed bed;

	(void)state;
	tr_random_open(&random, 11, "routings");
	for (unsigned round = 0; round < routings_rounds(); round++) {
		routings_draw(&bed, &random);
		for (unsigned i = 0; i < 6; i++)
			add_up(&bed, rules[i], &sums[i]);
		net_graph_close(&bed.graph);
	}
	assert_true(sums[1].fullest < 0.95 * sums[0].fullest);
	assert_true(sums[2].fullest < sums[1].fullest);
	assert_true(sums[4].length < sums[3].length);
	assert_true(sums[5].length < sums[4].length);
	assert_true(sums[0].length <= sums[5].length);
}

// Turns that are added, tried and removed at random, one by one and as ways, beside a plain search.

static bool leads_to(const struct net_acyclic *acyclic, uint32_t from, uint32_t to, bool *seen)
{
	const struct net_channels *channels = acyclic->channels;
	const uint32_t at = channels->all[from].to;

	if (from == to)
		return true;
	seen[from] = true;
	for (uint32_t next = channels->first[at]; next < channels->first[at + 1]; next++)
		if (net_acyclic_has(acyclic, from, next) && !seen[next] &&
		    leads_to(acyclic, next, to, seen))
			return true;
	return false;
}

static bool closes_cycle(const struct net_acyclic *acyclic, uint32_t from, uint32_t to)
{
	bool seen[ROUTINGS_LINKS] = {false};

	return leads_to(acyclic, to, from, seen);
}

static uint32_t draw_next(const struct net_channels *channels, struct tr_random *random, uint32_t c)
{
	const uint32_t first = channels->first[channels->all[c].to];

	return first +
	       (uint32_t)tr_random_below(random, channels->first[channels->all[c].to + 1] - first);
}

static void check_turn(struct net_acyclic *acyclic, struct tr_random *random, uint32_t from,
		       uint32_t to)
{
	const bool had = net_acyclic_has(acyclic, from, to);
	const bool closes = closes_cycle(acyclic, from, to);

	if (tr_random_below(random, 2)) {
		assert_int_equal(net_acyclic_add(acyclic, from, to), had || !closes);
		assert_int_equal(net_acyclic_is_barred(acyclic, from, to), !had && closes);
	} else {
		assert_int_equal(net_acyclic_try(acyclic, from, to), had || !closes);
		if (!had && !closes)
			net_acyclic_remove(acyclic, from, to);
		assert_int_equal(net_acyclic_has(acyclic, from, to), had);
	}
}

#define WAY 4u

static void check_way(struct net_acyclic *acyclic, struct tr_random *random, uint32_t from)
{
	uint32_t way[WAY] = {from};
	bool had[WAY];
	bool fits;

	for (uint32_t i = 1; i < WAY; i++)
		way[i] = draw_next(acyclic->channels, random, way[i - 1]);
	for (uint32_t i = 0; i + 1 < WAY; i++)
		had[i] = net_acyclic_has(acyclic, way[i], way[i + 1]);
	fits = net_acyclic_add_way(acyclic, way, WAY);
	for (uint32_t i = 0; i + 1 < WAY; i++) {
		assert_int_equal(net_acyclic_has(acyclic, way[i], way[i + 1]), had[i] || fits);
		if (fits)
			assert_false(closes_cycle(acyclic, way[i], way[i + 1]));
	}
}

static void turns_without_a_cycle(void **state)
{
	struct tr_random random;
	static struct routings_bed bed;

	(void)state;
	tr_random_open(&random, 12, "routings");
	for (unsigned round = 0; round < routings_rounds(); round++) {
		struct net_channels channels;
		struct net_acyclic acyclic;

		routings_draw(&bed, &random);
		assert_int_equal(net_channels_open(&channels, &bed.topology, NULL), TR_OK);
		assert_int_equal(net_acyclic_open(&acyclic, &channels, NULL), TR_OK);
		for (unsigned i = 0; channels.count > 0 && i < 200; i++) {
			const uint32_t from = (uint32_t)tr_random_below(&random, channels.count);

			if (tr_random_below(&random, 3) == 0)
				check_way(&acyclic, &random, from);
			else
				check_turn(&acyclic, &random, from,
					   draw_next(&channels, &random, from));
		}
		net_acyclic_close(&acyclic);
		net_channels_close(&channels);
		net_graph_close(&bed.graph);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_networks),
		cmocka_unit_test(lanes_of_rings),
		cmocka_unit_test(lanes_of_grids_and_trees),
		cmocka_unit_test(small_networks),
		cmocka_unit_test(searches_that_leave_switches_out),
		cmocka_unit_test(routes_are_balanced_and_short),
		cmocka_unit_test(turns_without_a_cycle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
