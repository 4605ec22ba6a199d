// SPDX-License-Identifier: GPL-3.0-or-later
// The rule "dateline" and the grids it is made on, on rings, tori and meshes: every option is a
// step on a shortest way, worms keep a lane of a ring as long as they are in it, and none wait for
// one another in a cycle by link and lane, though by link alone they do.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/lanes/lanes_run.h"
#include "net/routings/grid.h"
#include "net/routings/routing.h"
#include "routings_bed.h"

static const struct shape {
	const char *network;
	uint32_t sizes[3];
	bool closed[3];
} shapes[] = {
	{"ring:3", {3}, {true}},
	{"ring:4,hosts=2", {4}, {true}},
	{"ring:5", {5}, {true}},
	{"ring:6", {6}, {true}},
	{"ring:7", {7}, {true}},
	{"ring:8", {8}, {true}},
	{"torus:3x3", {3, 3}, {true, true}},
	{"torus:4x3", {4, 3}, {true, true}},
	{"torus:4x4", {4, 4}, {true, true}},
	{"torus:5x6,hosts=1", {5, 6}, {true, true}},
	{"torus:3x4x3,hosts=1", {3, 4, 3}, {true, true, true}},
	{"torus:2x5", {2, 5}, {false, true}},
	{"mesh:4x3", {4, 3}, {false, false}},
	{"line:5", {5}, {false}},
};

#define SHAPES (sizeof(shapes) / sizeof(*shapes))

struct bed {
	struct net_topology topology;
	struct net_grid grid;
	struct net_routes routes;
};

static void open_bed(struct bed *bed, const struct shape *shape, const char *rule)
{
	struct tr_error err = {.text = ""};

	if (net_topology_make(&bed->topology, shape->network, &err) != TR_OK ||
	    net_grid_open(&bed->grid, &bed->topology, false, &err) != TR_OK ||
	    net_routing_make(&bed->routes, &bed->topology, rule, &err) != TR_OK)
		fail_msg("%s: %s", shape->network, err.text);
}

static void close_bed(struct bed *bed)
{
	net_routes_clear(&bed->routes);
	net_grid_close(&bed->grid);
	net_topology_clear(&bed->topology);
}

static uint32_t distance(const struct net_grid *grid, uint32_t from, uint32_t to)
{
	uint32_t sum = 0;
	bool onward;

	for (uint32_t d = 0; d < grid->count; d++)
		sum += net_grid_distance(&grid->dimensions[d], from, to, &onward);
	return sum;
}

// Fewest cables between all switches, by relaxing over the cables.
static void check_distances(const struct bed *bed)
{
	const uint32_t switches = bed->topology.switches, hosts = bed->topology.hosts;
	uint32_t *far = malloc(switches * switches * sizeof(*far));

	for (uint32_t i = 0; i < switches * switches; i++)
		far[i] = i % switches == i / switches ? 0 : 1000;
	for (uint32_t round = 0; round < switches; round++)
		for (size_t i = 0; i < 2 * bed->topology.cable_count; i++) {
			const uint32_t a = bed->topology.cables[i / 2].ends[i % 2].node - hosts;
			const uint32_t b = bed->topology.cables[i / 2].ends[1 - i % 2].node - hosts;

			for (uint32_t to = 0; a < switches && b < switches && to < switches; to++)
				if (far[b * switches + to] + 1 < far[a * switches + to])
					far[a * switches + to] = far[b * switches + to] + 1;
		}
	for (uint32_t i = 0; i < switches * switches; i++)
		assert_int_equal(distance(&bed->grid, i / switches, i % switches), far[i]);
	free(far);
}

static void test_grids(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHAPES; i++) {
		struct bed bed;
		uint32_t stride = 1;

		open_bed(&bed, &shapes[i], "dateline");
		for (uint32_t d = 0; d < bed.grid.count; d++) {
			const struct net_dimension *dimension = &bed.grid.dimensions[d];

			assert_int_equal(dimension->size, shapes[i].sizes[d]);
			assert_int_equal(dimension->stride, stride);
			assert_int_equal(dimension->closed, shapes[i].closed[d]);
			stride *= dimension->size;
			for (uint32_t at = 0; at < bed.topology.switches; at++) {
				const uint32_t next = net_grid_neighbour(dimension, at, true);
				const uint32_t port = net_grid_port(&bed.grid, at, d, true);

				if (next == NET_NOBODY)
					continue;
				assert_int_equal(net_grid_neighbour(dimension, next, false), at);
				assert_int_equal(net_graph_peer(&bed.grid.graph,
								at + bed.topology.hosts, port)
							 ->node,
						 next + bed.topology.hosts);
			}
		}
		assert_int_equal(stride, bed.topology.switches);
		check_distances(&bed);
		close_bed(&bed);
	}
}

// Checks the options of an input, by which worms to a switch may come.
static void check_options(const struct bed *bed, uint32_t input, uint32_t to, bool adaptive)
{
	const struct net_choices *choices = bed->routes.choices;
	const struct net_input what = net_choices_what(choices, input);
	const uint32_t lanes = net_choices_lanes(choices) - adaptive;
	uint32_t count;
	const struct net_option *options = net_choices_get(choices, input, to, &count);

	if (what.at == to)
		return;
	assert_true(count > 0 && (adaptive || count == 1));
	for (uint32_t i = 0; i < count; i++) {
		const struct net_input next = net_choices_what(
			choices, net_choices_next(choices, what.at, options[i]));

		assert_int_equal(distance(&bed->grid, next.at, to) + 1,
				 distance(&bed->grid, what.at, to));
		assert_int_equal(options[i].escape, adaptive && i == count - 1);
		assert_int_equal(options[i].lane == lanes, adaptive && i < count - 1);
	}
}

static void check_rule(const struct shape *shape, bool adaptive)
{
	struct bed bed;
	bool *seen;

	open_bed(&bed, shape, adaptive ? "dateline:adaptive=yes" : "dateline");
	assert_non_null(bed.routes.choices);
	assert_int_equal(net_choices_lanes(bed.routes.choices),
			 1u + (shape->closed[0] || shape->closed[1] || shape->closed[2]) +
				 adaptive);
	seen = calloc(net_choices_inputs(bed.routes.choices), sizeof(*seen));
	for (uint32_t to = 0; to < bed.topology.switches; to++) {
		routings_reach(bed.routes.choices, to, seen);
		for (uint32_t input = 0; input < net_choices_inputs(bed.routes.choices); input++)
			if (seen[input])
				check_options(&bed, input, to, adaptive);
	}
	free(seen);
	if (adaptive)
		assert_false(routings_escape_cycle(&bed.grid.graph, &bed.routes));
	else
		assert_false(routings_cycle(&bed.grid.graph, &bed.routes));
	close_bed(&bed);
}

static void test_routes(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * SHAPES; i++)
		check_rule(&shapes[i / 2], i % 2 != 0);
}

// Round a ring a worm goes on lane 1 from its first cable on if it will pass the one between the
// last switch and the first.
static void test_lane_of_ring(void **state)
{
	char network[20];

	(void)state;
	for (uint32_t switches = 3; switches <= 8; switches++) {
		const struct shape shape = {.network = network};
		struct bed bed;

		snprintf(network, sizeof(network), "ring:%u", switches);
		open_bed(&bed, &shape, "dateline");
		for (uint32_t pair = 0; pair < switches * switches; pair++) {
			uint32_t input = net_choices_host_input(pair / switches),
				 at = pair / switches, lanes = 0, steps = 0;
			bool passes = false;

			for (; at != pair % switches; steps++) {
				uint32_t count;
				const struct net_option *option = net_choices_get(
					bed.routes.choices, input, pair % switches, &count);
				const uint32_t next = net_choices_next(bed.routes.choices, at,
								       *option);
				const uint32_t to = net_choices_what(bed.routes.choices, next).at;

				lanes += option->lane;
				passes |= at + to == switches - 1 && (at == 0 || to == 0);
				input = next;
				at = to;
			}
			assert_int_equal(lanes, passes ? steps : 0);
		}
		close_bed(&bed);
	}
}

// The same ways, all on one lane.
static void flatten(const struct bed *bed, struct net_routes *flat)
{
	const struct net_choices *choices = bed->routes.choices;
	struct net_choices *one = net_choices_open(&bed->grid.graph, 1, NULL);

	for (uint32_t input = 0; input < net_choices_inputs(one); input++) {
		const struct net_input what = net_choices_what(one, input);

		for (uint32_t to = 0; to < bed->topology.switches; to++) {
			struct net_option merged[4];
			uint32_t total = 0;

			for (uint32_t lane = 0;
			     lane < (what.link == NET_NOBODY ? 1 : net_choices_lanes(choices));
			     lane++) {
				uint32_t count;
				const struct net_option *options = net_choices_get(
					choices,
					what.link == NET_NOBODY
						? input
						: net_choices_input(choices, what.link, lane),
					to, &count);

				if (count == 0 || (total > 0 && merged[0].port == options[0].port))
					continue;
				merged[total++] = (struct net_option){.port = options[0].port};
			}
			assert_int_equal(net_choices_put(one, input, to, merged, total, NULL),
					 TR_OK);
		}
	}
	assert_int_equal(net_choices_routes(flat, one, NULL), TR_OK);
}

// Of two equal ways round a ring of four, each switch takes another one than the next: there is no
// cycle before five.
static void test_one_lane(void **state)
{
	(void)state;
	for (size_t i = 0; i < 6; i++) {
		struct lanes_params params = lanes_params_usual;
		struct net_routes flat;
		struct bed bed;
		const struct net_setup setup = {
			.topology = &bed.topology, .routes = &bed.routes, .params = &params};
		struct tr_error err = {.text = ""};

		open_bed(&bed, &shapes[i], "dateline");
		flatten(&bed, &flat);
		assert_int_equal(routings_cycle(&bed.grid.graph, &flat), shapes[i].sizes[0] >= 5);
		assert_int_equal(lanes_engine.supports(&setup, &err), TR_ERROR);
		assert_non_null(strstr(err.text, "the routes need 2 lanes"));
		params.lanes = 2;
		assert_int_equal(lanes_engine.supports(&setup, &err), TR_OK);
		net_routes_clear(&flat);
		close_bed(&bed);
	}
}

static void test_other_networks(void **state)
{
	static const char *const networks[] = {"random-regular:10,4,hosts=1", "fattree:2,4",
					       "switch:4"};

	(void)state;
	for (size_t i = 0; i < sizeof(networks) / sizeof(*networks); i++) {
		struct net_topology topology;
		struct net_routes routes;
		struct tr_error err = {.text = ""};
		const bool lone = i == 2;

		assert_int_equal(net_topology_make(&topology, networks[i], NULL), TR_OK);
		assert_int_equal(net_routing_make(&routes, &topology, "dateline", &err),
				 lone ? TR_OK : TR_ERROR);
		assert_int_equal(strstr(err.text, "expected a mesh or torus") != NULL, !lone);
		net_routes_clear(&routes);
		net_topology_clear(&topology);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grids),	       cmocka_unit_test(test_routes),
		cmocka_unit_test(test_lane_of_ring),   cmocka_unit_test(test_one_lane),
		cmocka_unit_test(test_other_networks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
