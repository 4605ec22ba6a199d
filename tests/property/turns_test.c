// SPDX-License-Identifier: GPL-3.0-or-later
// Turn models beside the routing functions of their papers, state by state, and a plain search for
// cycles.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routings_bed.h"

#include "net/routes/immunity.h"
#include "net/routings/routing.h"

// What a worm may do next, as bits: west 1, east 2, south 4, north 8. x, y: where it is; dx, dy:
// how far it has to go; first: the column where it began.

static unsigned ways_along(int dx, int dy)
{
	return (dx < 0 ? 1u : 0) | (dx > 0 ? 2u : 0) | (dy < 0 ? 4u : 0) | (dy > 0 ? 8u : 0);
}

static unsigned west_first(int x, int dx, int dy, int first)
{
	(void)x;
	(void)first;
	return dx < 0 ? 1 : ways_along(dx, dy);
}

static unsigned north_last(int x, int dx, int dy, int first)
{
	(void)x;
	(void)first;
	return dy > 0 && dx != 0 ? ways_along(dx, 0) : ways_along(dx, dy);
}

static unsigned negative_first(int x, int dx, int dy, int first)
{
	(void)x;
	(void)first;
	return dx < 0 || dy < 0 ? ways_along(dx < 0 ? dx : 0, dy < 0 ? dy : 0) : ways_along(dx, dy);
}

// The function ROUTE of Chiu (2000).
static unsigned odd_even(int x, int dx, int dy, int first)
{
	unsigned ways = 0;

	if (dx == 0 || dy == 0)
		return ways_along(dx, dy);
	if (dx < 0)
		return 1u | (x % 2 == 0 ? ways_along(0, dy) : 0);
	if (x % 2 != 0 || x == first)
		ways |= ways_along(0, dy);
	if ((x + dx) % 2 != 0 || dx != 1)
		ways |= 2u;
	return ways;
}

static const struct {
	const char *name;
	unsigned (*next)(int x, int dx, int dy, int first);
} models[] = {{"west-first", west_first},
	      {"north-last", north_last},
	      {"negative-first", negative_first},
	      {"odd-even", odd_even}};

struct turns_bed {
	struct net_topology topology;
	struct net_graph graph;
	struct net_routes routes;
	uint32_t width;
	uint64_t states;
};

static void turns_open_bed(struct turns_bed *bed, const char *network, const char *model)
{
	char rule[40];
	struct tr_error err = {.text = ""};

	memset(bed, 0, sizeof(*bed));
	snprintf(rule, sizeof(rule), "turns:model=%s", model);
	assert_int_equal(net_topology_make(&bed->topology, network, NULL), TR_OK);
	assert_int_equal(net_graph_open(&bed->graph, &bed->topology, NULL), TR_OK);
	if (net_routing_make(&bed->routes, &bed->topology, rule, &err) != TR_OK)
		fail_msg("%s, %s: %s", network, rule, err.text);
	assert_int_equal(bed->routes.lanes, 1);
}

static void turns_close_bed(struct turns_bed *bed)
{
	net_routes_clear(&bed->routes);
	net_graph_close(&bed->graph);
	net_topology_clear(&bed->topology);
}

// Follows every way of a worm that is at a switch, having come by an input.
static void turns_follow(struct turns_bed *bed, uint32_t model, uint32_t at, uint32_t input,
			 uint32_t to, int first)
{
	const struct net_choices *choices = bed->routes.choices;
	const int width = (int)bed->width;
	const int x = (int)at % width, dx = (int)to % width - x,
		  dy = (int)to / width - (int)at / width;
	const unsigned wanted = models[model].next(x, dx, dy, first);
	unsigned found = 0;
	uint32_t count;
	const struct net_option *options;

	if (at == to)
		return;
	bed->states++;
	options = net_choices_get(choices, input, to, &count);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t next =
			net_graph_peer(&bed->graph, at + bed->graph.hosts, options[i].port)->node -
			bed->graph.hosts;

		found |= next + 1 == at		   ? 1u
			 : next == at + 1	   ? 2u
			 : next + bed->width == at ? 4u
						   : 8u;
	}
	if (found != wanted)
		fail_msg("%s: at %u to %u from column %d: %x, not %x", models[model].name, at, to,
			 first, found, wanted);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t next = net_choices_next(choices, at, options[i]);

		turns_follow(bed, model, net_choices_what(choices, next).at, next, to, first);
	}
}

static void options_are_those_of_the_papers(void **state)
{
	static const struct {
		const char *network;
		uint32_t width;
	} meshes[] = {{"mesh:5x4", 5}, {"mesh:4x5", 4}, {"mesh:2x6", 2}, {"mesh:6x2", 6}};

	(void)state;
	for (uint32_t model = 0; model < 4; model++)
		for (size_t i = 0; i < 4; i++) {
			struct turns_bed bed;
			const uint32_t switches = meshes[i].width == 5 || meshes[i].width == 4 ? 20
											       : 12;

			turns_open_bed(&bed, meshes[i].network, models[model].name);
			bed.width = meshes[i].width;
			for (uint32_t pair = 0; pair < switches * switches; pair++)
				turns_follow(&bed, model, pair / switches,
					     net_choices_host_input(pair / switches),
					     pair % switches,
					     (int)(pair / switches % meshes[i].width));
			assert_true(bed.states > switches * switches);
			turns_close_bed(&bed);
		}
}

// Six of the eight turns are left in a plane, at each place where there is room for them: with the
// ways straight on, 32 + 54 dependencies in a mesh of 4 x 4. No cycle closes.
static void no_cycle_closes(void **state)
{
	static const char *const networks[] = {"mesh:4x4", "mesh:5x3,hosts=2", "mesh:3x3x2",
					       "hypercube:4", "mesh:2x2x2x2"};

	(void)state;
	for (uint32_t model = 0; model < 4; model++)
		for (size_t i = 0; i < (model == 2 ? 5 : 2); i++) {
			struct turns_bed bed;
			struct net_immunity immunity;

			turns_open_bed(&bed, networks[i], models[model].name);
			assert_false(routings_cycle(&bed.graph, &bed.routes));
			assert_int_equal(net_immunity_find(&immunity, bed.routes.choices, NULL),
					 TR_OK);
			assert_int_equal(immunity.immune, immunity.channels);
			if (i == 0)
				assert_int_equal(immunity.dependencies, 86);
			net_immunity_clear(&immunity);
			routings_check_lists(&bed.graph, &bed.routes, true);
			turns_close_bed(&bed);
		}
}

static void others_are_refused(void **state)
{
	static const char *const cases[][3] = {{"torus:4x4", "turns", "closed"},
					       {"mesh:3x3x3", "turns:model=west-first", "two"},
					       {"hyperx:4x4", "turns", "not"},
					       {"fattree:16", "turns", ""}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct net_topology topology;
		struct net_routes routes;
		struct tr_error err = {.text = ""};

		assert_int_equal(net_topology_make(&topology, cases[i][0], NULL), TR_OK);
		assert_int_equal(net_routing_make(&routes, &topology, cases[i][1], &err), TR_ERROR);
		assert_non_null(strstr(err.text, cases[i][2]));
		net_topology_clear(&topology);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_are_those_of_the_papers),
		cmocka_unit_test(no_cycle_closes),
		cmocka_unit_test(others_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
