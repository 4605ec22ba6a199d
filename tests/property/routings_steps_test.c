// SPDX-License-Identifier: GPL-3.0-or-later
// Lists whose steps have lanes of their own: the proof beside a plain search, the cycle that it
// names, and files of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routings_bed.h"

#include "net/routes/deadlock.h"
#include "net/routes/routes_forms.h"
#include "net/routings/routing.h"

// Shortest routes with a random lane for each step, of so many.
static void draw_steps(struct net_routes *routes, const struct routings_bed *bed, uint32_t lanes,
		       struct tr_random *random)
{
	struct net_routes plain;
	uint16_t steps[ROUTINGS_SWITCHES];

	assert_int_equal(net_routing_make(&plain, &bed->topology, "shortest:tie=hash", NULL),
			 TR_OK);
	assert_int_equal(net_route_table_open(routes, bed->topology.hosts, NULL), TR_OK);
	routes->lanes = lanes;
	for (uint32_t from = 0; from < plain.hosts; from++)
		for (uint32_t to = 0; to < plain.hosts; to++) {
			const uint32_t count = net_routes_get(&plain, from, to, steps);

			for (uint32_t i = 0; i < count; i++)
				steps[i] = (uint16_t)(steps[i] +
						      1024 * tr_random_below(random, lanes));
			assert_int_equal(net_route_table_put(routes, from, to, steps, count, NULL),
					 TR_OK);
		}
	net_routes_clear(&plain);
}

// Whether the list of a pair holds a lane of a link and asks for the next step's.
static bool makes(const struct net_graph *graph, const struct net_routes *routes,
		  const struct net_cycle_step *held, const struct net_cycle_step *next)
{
	uint16_t steps[ROUTINGS_SWITCHES];
	const uint32_t count = net_routes_get(routes, held->source, held->destination, steps);
	uint32_t node = net_graph_peer(graph, held->source, 0)->node, before = NET_NOBODY;

	for (uint32_t i = 0; i < count; i++) {
		const struct net_peer *peer = net_graph_peer(graph, node, steps[i] % 1024);

		if (i > 0 && before == held->link && steps[i - 1] / 1024 == held->lane &&
		    peer->link == next->link && steps[i] / 1024 == next->lane)
			return true;
		before = peer->link;
		node = peer->node;
	}
	return false;
}

static void proof_agrees_with_a_plain_search(void **state)
{
	struct tr_random random;
	static struct routings_bed bed;
	unsigned found[2] = {0};

	(void)state;
	tr_random_open(&random, 1, "steps");
	for (unsigned round = 0; round < 3 * routings_rounds(); round++) {
		const uint32_t lanes = 1 + round % 3;
		struct net_routes routes;
		struct net_cycle cycle;

		routings_draw(&bed, &random);
		draw_steps(&routes, &bed, lanes, &random);
		assert_int_equal(net_deadlock_find(&cycle, &bed.graph, &routes, NULL), TR_OK);
		assert_int_equal(cycle.count > 0, routings_cycle(&bed.graph, &routes));
		for (uint32_t i = 0; i < cycle.count; i++)
			assert_true(makes(&bed.graph, &routes, &cycle.steps[i],
					  &cycle.steps[(i + 1) % cycle.count]));
		found[cycle.count > 0]++;
		net_cycle_clear(&cycle);
		net_routes_clear(&routes);
		net_graph_close(&bed.graph);
	}
	assert_true(found[0] > 0 && found[1] > 0);
}

// In a ring of n switches worms of one direction, n - 1 links each, wait in a cycle on one lane;
// with a second lane behind the last switch they do not (Dally and Seitz). With a lane for each
// link of a route they do not either; with one less, the last two on one, they do.
static void lanes_of_a_ring(void **state)
{
	static struct routings_bed bed;

	(void)state;
	for (uint32_t n = 3; n <= ROUTINGS_SWITCHES; n++)
		for (unsigned manner = 0; manner < 4; manner++) {
			const uint32_t lanes = manner == 0 ? 1 : manner == 1 ? 2 : n - 1;
			struct net_routes routes;
			struct net_cycle cycle;

			routings_ring(&bed, n);
			assert_int_equal(net_route_table_open(&routes, n, NULL), TR_OK);
			routes.lanes = lanes;
			for (uint32_t pair = 0; pair < n * n; pair++) {
				const uint32_t from = pair / n, far = (pair % n + n - from) % n;
				uint16_t steps[ROUTINGS_SWITCHES] = {0};

				for (uint32_t i = 0; i <= far; i++) {
					const uint32_t lane = manner == 0   ? 0
							      : manner == 1 ? from + i >= n
							      : manner == 2 ? i
									    : i - (i == n - 2);

					steps[i] = net_step(i < far, i < far ? lane : 0);
				}
				assert_int_equal(net_route_table_put(&routes, from, pair % n, steps,
								     far + 1, NULL),
						 TR_OK);
			}
			assert_int_equal(net_deadlock_find(&cycle, &bed.graph, &routes, NULL),
					 TR_OK);
			assert_int_equal(cycle.count, manner % 3 == 0 ? n : 0);
			assert_int_equal(routings_cycle(&bed.graph, &routes), manner % 3 == 0);
			net_cycle_clear(&cycle);
			net_routes_clear(&routes);
			net_graph_close(&bed.graph);
		}
}

static void files_keep_steps(void **state)
{
	struct tr_random random;
	static struct routings_bed bed;

	(void)state;
	tr_random_open(&random, 2, "steps");
	for (unsigned round = 0; round < 40; round++) {
		struct net_routes routes, again;
		char *text = NULL;
		size_t bytes;
		FILE *out = open_memstream(&text, &bytes);
		struct tr_error err = {.text = ""};
		struct tr_source *source;

		routings_draw(&bed, &random);
		draw_steps(&routes, &bed, 1 + round % 5, &random);
		assert_int_equal(
			net_routes_write(&routes, &bed.topology, NET_ROUTES_TEXT, NULL, out, &err),
			TR_OK);
		fclose(out);
		assert_int_equal(tr_source_open_memory(&source, text, bytes, "memory", NULL),
				 TR_OK);
		if (net_routes_read(&again, &bed.topology, source, &err) != TR_OK)
			fail_msg("%s", err.text);
		tr_source_close(source);
		assert_int_equal(net_routes_list_lanes(&again), 1 + round % 5);
		for (uint32_t pair = 0; pair < routes.hosts * routes.hosts; pair++) {
			uint16_t had[ROUTINGS_SWITCHES], has[ROUTINGS_SWITCHES];
			const uint32_t from = pair / routes.hosts, to = pair % routes.hosts;
			const uint32_t count = net_routes_get(&routes, from, to, had);

			assert_int_equal(net_routes_get(&again, from, to, has), count);
			assert_memory_equal(had, has, count * sizeof(*had));
		}
		free(text);
		net_routes_clear(&routes);
		net_routes_clear(&again);
		net_graph_close(&bed.graph);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(proof_agrees_with_a_plain_search),
		cmocka_unit_test(lanes_of_a_ring),
		cmocka_unit_test(files_keep_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
