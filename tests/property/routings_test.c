// SPDX-License-Identifier: GPL-3.0-or-later
// Random networks: every route of every rule leads to its host, has the length found by a second
// algorithm, obeys its rule, and worms deadlock exactly if a plain search finds a cycle.
// FLIT_LONG=1 tries many more.
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
#include "net/routes/deadlock.h"
#include "net/routes/route_path.h"
#include "net/routings/routing.h"

#define FAR 10000

// Fewest cables from a switch to another; where legal, after a descent only descents. By relaxing
// until nothing changes.
static int least(const struct routings_bed *bed, uint32_t from, uint32_t to, bool legal)
{
	int best[ROUTINGS_SWITCHES][2];
	bool changed = true;

	for (uint32_t i = 0; i < ROUTINGS_SWITCHES; i++)
		best[i][0] = best[i][1] = FAR;
	best[from][0] = 0;
	while (changed) {
		changed = false;
		for (uint32_t at = 0; at < bed->topology.switches; at++)
			for (uint32_t i = 0; i < 2 * ROUTINGS_PORTS; i++) {
				int next = routings_peer(bed, at, i / 2);
				int down = next >= 0 && legal && bed->rank[next] > bed->rank[at];

				if (next < 0 || (legal && i % 2 == 1 && !down) ||
				    best[at][i % 2] + 1 >= best[next][down])
					continue;
				best[next][down] = best[at][i % 2] + 1;
				changed = true;
			}
	}
	return best[to][0] < best[to][1] ? best[to][0] : best[to][1];
}

static void check_pair(const struct routings_bed *bed, const struct net_routes *routes,
		       uint32_t from, uint32_t to, bool legal)
{
	uint16_t ports[ROUTINGS_SWITCHES + 1];
	uint32_t links[ROUTINGS_SWITCHES + 2];
	struct net_path path = {.links = links};
	uint32_t count = net_routes_get(routes, from, to, ports);
	uint32_t at = routings_home(bed, from);
	bool descended = false;

	assert_true(routes->longest <= ROUTINGS_SWITCHES);
	assert_true(count <= routes->longest);
	assert_true(net_path_follow(&path, &bed->graph, from, to, ports, count));
	assert_int_equal((int)count - 1, least(bed, at, routings_home(bed, to), legal));
	for (uint32_t i = 0; legal && i + 1 < count; i++) {
		uint32_t next = (uint32_t)routings_peer(bed, at, ports[i]);

		assert_false(descended && bed->rank[next] < bed->rank[at]);
		descended = bed->rank[next] > bed->rank[at];
		at = next;
	}
}

static void check_all(const struct routings_bed *bed, const struct net_routes *routes, bool legal)
{
	for (uint32_t from = 0; from < bed->topology.hosts; from++)
		for (uint32_t to = 0; to < bed->topology.hosts; to++)
			check_pair(bed, routes, from, to, legal);
}

// Whether link waits for itself, by asking for everything that waits for it; a plain search.
static bool waits_in_cycle(const struct routings_bed *bed, const struct net_routes *routes)
{
	static bool waits[ROUTINGS_LINKS][ROUTINGS_LINKS];
	const uint32_t count = bed->graph.links;
	uint16_t ports[ROUTINGS_SWITCHES + 1];
	uint32_t links[ROUTINGS_SWITCHES + 2];
	struct net_path path = {.links = links};

	memset(waits, 0, sizeof(waits));
	for (uint32_t pair = 0; pair < routes->hosts * routes->hosts; pair++) {
		uint32_t from = pair / routes->hosts;
		uint32_t to = pair % routes->hosts;

		if (from == to)
			continue;
		net_path_follow(&path, &bed->graph, from, to, ports,
				net_routes_get(routes, from, to, ports));
		for (uint32_t i = 0; i + 1 < path.count; i++)
			waits[links[i]][links[i + 1]] = true;
	}
	for (uint32_t via = 0; via < count; via++)
		for (uint32_t a = 0; a < count; a++)
			for (uint32_t b = 0; waits[a][via] && b < count; b++)
				waits[a][b] |= waits[via][b];
	for (uint32_t a = 0; a < count; a++)
		if (waits[a][a])
			return true;
	return false;
}

// Each step's worm really holds its link and asks for the next step's.
static void check_cycle(const struct net_cycle *cycle, const struct net_graph *graph,
			const struct net_routes *routes)
{
	uint16_t *ports = calloc(routes->longest + 1, sizeof(*ports));
	uint32_t *links = calloc(routes->longest + 2, sizeof(*links));
	struct net_path path = {.links = links};

	for (uint32_t i = 0; i < cycle->count; i++) {
		const struct net_cycle_step *step = &cycle->steps[i];
		uint32_t next = cycle->steps[(i + 1) % cycle->count].link;
		bool found = false;

		net_path_follow(&path, graph, step->source, step->destination, ports,
				net_routes_get(routes, step->source, step->destination, ports));
		for (uint32_t n = 0; n + 1 < path.count; n++)
			found |= links[n] == step->link && links[n + 1] == next;
		assert_true(found);
	}
	free(ports);
	free(links);
}

static void check_deadlock(const struct routings_bed *bed, const struct net_routes *routes,
			   bool never)
{
	struct net_cycle cycle;
	bool waits = waits_in_cycle(bed, routes);

	assert_int_equal(net_deadlock_find(&cycle, &bed->graph, routes, NULL), TR_OK);
	assert_int_equal(cycle.count > 0, waits);
	check_cycle(&cycle, &bed->graph, routes);
	if (never || routes->acyclic)
		assert_int_equal(cycle.count, 0);
	net_cycle_clear(&cycle);
}

static const char *const ties[] = {"lowest", "hash", "destination", "source", "load"};

static void routes_of_random_networks(void **state)
{
	struct tr_random random;
	static struct routings_bed bed;

	(void)state;
	tr_random_open(&random, 3, "routings");
	for (unsigned round = 0; round < routings_rounds(); round++) {
		bool legal = tr_random_below(&random, 3) > 0;
		struct net_routes routes;
		uint32_t root;
		int used;
		char rule[80];

		routings_draw(&bed, &random);
		root = (uint32_t)tr_random_below(&random, bed.topology.switches);
		routings_rank(&bed, root);
		if (legal)
			used = snprintf(rule, sizeof(rule), "updown:root=%u,tie=%s", root,
					ties[round % 5]);
		else
			used = snprintf(rule, sizeof(rule), "shortest:tie=%s", ties[round % 5]);
		if (round % 5 == 1)
			snprintf(rule + used, sizeof(rule) - (size_t)used, ",seed=%u", round);
		assert_int_equal(net_routing_make(&routes, &bed.topology, rule, NULL), TR_OK);
		check_all(&bed, &routes, legal);
		check_deadlock(&bed, &routes, legal);
		net_routes_clear(&routes);
		net_graph_close(&bed.graph);
	}
}

static uint64_t most_routes(const struct net_graph *graph, const struct net_routes *routes)
{
	struct net_loads loads;
	double most = 0;

	assert_int_equal(net_loads_find(&loads, graph, routes, (struct net_demand){NULL}, NULL),
			 TR_OK);
	for (uint32_t i = 0; i < loads.count; i++)
		most = loads.links[i] > most ? loads.links[i] : most;
	net_loads_clear(&loads);
	return (uint64_t)most;
}

// Spreading by load is there to lower the fullest channel.
static void spreading_by_load_pays(void **state)
{
	struct tr_random random;
	static struct routings_bed bed;
	uint64_t lowest = 0;
	uint64_t spread = 0;

	(void)state;
	tr_random_open(&random, 4, "routings");
	for (unsigned round = 0; round < routings_rounds(); round++) {
		struct net_routes routes;

		routings_draw(&bed, &random);
		assert_int_equal(
			net_routing_make(&routes, &bed.topology, "shortest:tie=lowest", NULL),
			TR_OK);
		lowest += most_routes(&bed.graph, &routes);
		net_routes_clear(&routes);
		assert_int_equal(
			net_routing_make(&routes, &bed.topology, "shortest:tie=load", NULL), TR_OK);
		spread += most_routes(&bed.graph, &routes);
		net_routes_clear(&routes);
		net_graph_close(&bed.graph);
	}
	assert_true(spread * 10 < lowest * 9);
}

static void shortest_ways_round_a_ring_deadlock(void **state)
{
	static const char *const rules[] = {"shortest", "dimension", "updown"};
	static struct routings_bed bed;

	(void)state;
	for (uint32_t switches = 5; switches <= ROUTINGS_SWITCHES; switches++) {
		routings_ring(&bed, switches);
		for (unsigned i = 0; i < 3; i++) {
			struct net_routes routes;
			struct net_cycle cycle;

			assert_int_equal(net_routing_make(&routes, &bed.topology, rules[i], NULL),
					 TR_OK);
			assert_int_equal(net_deadlock_find(&cycle, &bed.graph, &routes, NULL),
					 TR_OK);
			assert_int_equal(cycle.count, i < 2 ? switches : 0);
			check_cycle(&cycle, &bed.graph, &routes);
			net_cycle_clear(&cycle);
			net_routes_clear(&routes);
		}
		net_graph_close(&bed.graph);
	}
}

// Routes of a network made by name; whether worms can deadlock.
static bool route_named(const char *network, const char *rule)
{
	struct net_topology topology;
	struct net_routes routes;
	struct net_graph graph;
	struct net_cycle cycle;
	bool deadlock;

	assert_int_equal(net_topology_make(&topology, network, NULL), TR_OK);
	assert_int_equal(net_graph_open(&graph, &topology, NULL), TR_OK);
	assert_int_equal(net_routing_make(&routes, &topology, rule, NULL), TR_OK);
	routings_check_lists(&graph, &routes, true);
	assert_int_equal(net_deadlock_find(&cycle, &graph, &routes, NULL), TR_OK);
	check_cycle(&cycle, &graph, &routes);
	deadlock = cycle.count > 0;
	net_cycle_clear(&cycle);
	net_routes_clear(&routes);
	net_graph_close(&graph);
	net_topology_clear(&topology);
	return deadlock;
}

static void grids_by_dimension(void **state)
{
	struct tr_random random;
	char network[80];

	(void)state;
	tr_random_open(&random, 5, "routings");
	for (unsigned round = 0; round < routings_rounds() / 10; round++) {
		bool closed = tr_random_below(&random, 2);
		unsigned x = 1 + (unsigned)tr_random_below(&random, 7);
		unsigned y = 1 + (unsigned)tr_random_below(&random, 6);
		unsigned z = 1 + (unsigned)tr_random_below(&random, 4);

		snprintf(network, sizeof(network), "%s:%ux%ux%u,hosts=%u",
			 closed ? "torus" : "mesh", x, y, z,
			 1 + (unsigned)tr_random_below(&random, 2));
		// In a line of four a worm goes up the numbers to the farthest switch: a cycle,
		// too.
		assert_int_equal(route_named(network, "dimension"),
				 closed && (x > 3 || y > 3 || z > 3));
	}
	assert_false(route_named("hypercube:5", "dimension"));
}

static void trees_by_ancestor(void **state)
{
	static const char *const networks[] = {"fattree:2,4", "fattree:3,3", "fattree:50",
					       "fattree:200", "clos:3,4,5",  "yates16",
					       "yates32",     "yates64",     "switch:9"};
	char rule[80];

	(void)state;
	for (size_t i = 0; i < sizeof(networks) / sizeof(*networks); i++)
		for (size_t tie = 0; tie < sizeof(ties) / sizeof(*ties); tie++) {
			snprintf(rule, sizeof(rule), "nca:tie=%s", ties[tie]);
			assert_false(route_named(networks[i], rule));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(routes_of_random_networks),
		cmocka_unit_test(spreading_by_load_pays),
		cmocka_unit_test(shortest_ways_round_a_ring_deadlock),
		cmocka_unit_test(grids_by_dimension),
		cmocka_unit_test(trees_by_ancestor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
