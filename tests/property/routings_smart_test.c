// SPDX-License-Identifier: GPL-3.0-or-later
// The rule smart on random networks, rings and a torus: short, sound and free of cycles, and with
// room on its fullest channel. FLIT_LONG=1 tries many more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routings_bed.h"

#include "net/routes/channel_load.h"
#include "net/routings/routing.h"

static double fullest(const struct routings_bed *bed, const struct net_routes *routes)
{
	struct net_loads loads;
	double most = 0;

	assert_int_equal(
		net_loads_find(&loads, &bed->graph, routes, (struct net_demand){NULL}, NULL),
		TR_OK);
	for (uint32_t link = 0; link < loads.count; link++)
		if (bed->topology.cables[link / 2].ends[0].node >= bed->topology.hosts &&
		    loads.links[link] > most)
			most = loads.links[link];
	net_loads_clear(&loads);
	return most;
}

// How full the fullest channel between switches is by a rule whose lists are sound and free of
// cycles; -1 where the rule is not built in.
static double fullest_by(const struct routings_bed *bed, const char *rule, uint64_t *length)
{
	struct net_routes routes;
	struct tr_error err = {""};
	uint16_t ports[ROUTINGS_LINKS];
	double most;

	if (net_routing_make(&routes, &bed->topology, rule, &err) != TR_OK) {
		assert_non_null(strstr(err.text, "built without GLPK"));
		return -1;
	}
	assert_true(routes.longest <= ROUTINGS_LINKS);
	routings_check_lists(&bed->graph, &routes, false);
	assert_false(routings_cycle(&bed->graph, &routes));
	most = fullest(bed, &routes);
	*length = 0;
	for (uint32_t pair = 0; pair < routes.hosts * routes.hosts; pair++)
		*length += net_routes_get(&routes, pair / routes.hosts, pair % routes.hosts, ports);
	net_routes_clear(&routes);
	return most;
}

// One path a pair is as short as the best option, however it is balanced; and smart routes are
// shorter than up*/down*, and leave more room.
static void smart_routes(void **state)
{
	struct tr_random random;
	static struct routings_bed bed;
	double most[4] = {0};
	uint64_t lengths_of[4];
	uint64_t sum[2] = {0};

	(void)state;
	tr_random_open(&random, 10, "routings");
	for (unsigned round = 0; round < routings_rounds(); round++) {
		static const char *const rules[] = {"updown:tie=load", "smart:adaptive=yes",
						    "smart", "smart:balance=lp"};

		routings_draw(&bed, &random);
		for (unsigned i = 0; i < 4; i++) {
			lengths_of[i] = lengths_of[i > 0 ? i - 1 : 0];
			most[i] += fullest_by(&bed, rules[i], &lengths_of[i]);
		}
		assert_int_equal(lengths_of[1], lengths_of[2]);
		assert_int_equal(lengths_of[1], lengths_of[3]);
		sum[0] += lengths_of[0];
		sum[1] += lengths_of[1];
		net_graph_close(&bed.graph);
	}
	assert_true(sum[1] < sum[0]);
	assert_true(most[2] < most[0]);
	assert_true(most[2] < 0.9 * most[1]);
	assert_true(most[3] < 0 || most[3] <= 1.02 * most[2]);
}

// By hand: of a ring each direction loses its turn at one switch, the same one for both. The ways
// of 2 to n / 2 links of which it is an inner switch, one fewer than links, then go the other way
// round. No less will do: up*/down* loses as much or more.
static void smart_routes_of_rings(void **state)
{
	static struct routings_bed bed;

	(void)state;
	for (uint32_t switches = 5; switches <= ROUTINGS_SWITCHES; switches++) {
		uint64_t expected;
		uint64_t length;

		routings_ring(&bed, switches);
		expected = routings_length(&bed.topology, "shortest");
		for (uint32_t links = 2; links <= switches / 2; links++)
			expected += 2 * (links - 1) * (switches - 2 * links);
		(void)fullest_by(&bed, "smart", &length);
		assert_int_equal(length, expected);
		assert_true(length <= routings_length(&bed.topology, "updown"));
		net_graph_close(&bed.graph);
	}
}

// Where cycles are broken one by one, the routes of an 8 x 8 torus pass less than a twentieth more
// switches than the shortest; by costs alone they pass 6.6 % more, by up*/down* 10 %.
static void smart_routes_of_a_torus(void **state)
{
	struct net_topology topology;
	uint64_t shortest;

	(void)state;
	assert_int_equal(net_topology_make(&topology, "torus:8x8,hosts=1", NULL), TR_OK);
	shortest = routings_length(&topology, "shortest");
	assert_true(20 * routings_length(&topology, "smart") < 21 * shortest);
	net_topology_clear(&topology);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(smart_routes),
		cmocka_unit_test(smart_routes_of_rings),
		cmocka_unit_test(smart_routes_of_a_torus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
