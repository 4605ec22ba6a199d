// SPDX-License-Identifier: GPL-3.0-or-later
// Cycles of old and new routes together beside a plain matrix of what waits for what, on random
// networks whose cables, hosts and switches die and return.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "routings_bed.h"

#include "net/routings/reroutes.h"
#include "net/routings/routing.h"

#define FAULTS 2u
#define STATES (2 * FAULTS)
#define LANES 4u
#define CHANNELS (ROUTINGS_LINKS * LANES)

struct reroutes_bed {
	struct routings_bed network;
	struct net_fault faults[FAULTS];
	struct net_setup setup;
	struct net_routes routes;
	struct reroutes reroutes;
	bool waits[CHANNELS][CHANNELS];
	struct net_cycle_step of[CHANNELS];
};

static void reroutes_draw(struct reroutes_bed *bed, struct tr_random *random, const char *rule)
{
	routings_draw(&bed->network, random);
	for (uint32_t i = 0; i < FAULTS; i++) {
		struct net_fault *fault = &bed->faults[i];
		const uint32_t kind = (uint32_t)tr_random_below(random, 4);
		const struct net_topology *topology = &bed->network.topology;

		*fault = (struct net_fault){.kind = kind == 0	? NET_FAULT_SWITCH
						    : kind == 1 ? NET_FAULT_HOST
								: NET_FAULT_CABLE,
					    .from_ticks = (int64_t)tr_random_below(random, 5)};
		fault->number = (uint32_t)tr_random_below(random, kind == 0 ? topology->switches
								  : kind == 1
									  ? topology->hosts
									  : topology->cable_count);
		fault->to_ticks = fault->from_ticks + 1 + (int64_t)tr_random_below(random, 5);
		if (tr_random_below(random, 3) == 0)
			fault->from_ticks = INT64_MIN;
		if (tr_random_below(random, 3) == 0)
			fault->to_ticks = INT64_MAX;
	}
	bed->setup = (struct net_setup){.topology = &bed->network.topology,
					.routes = &bed->routes,
					.faults = bed->faults,
					.fault_count = FAULTS};
	assert_int_equal(net_routing_make(&bed->routes, &bed->network.topology, rule, NULL), TR_OK);
}

// Adds what waits for what by some routes.
static void reroutes_add(struct reroutes_bed *bed, const struct net_routes *routes)
{
	const struct net_graph *graph = &bed->network.graph;
	uint16_t steps[ROUTINGS_SWITCHES];

	for (uint32_t pair = 0; pair < graph->hosts * graph->hosts; pair++) {
		const uint32_t from = pair / graph->hosts, to = pair % graph->hosts;
		const uint32_t count = from == to ? NET_NO_ROUTE
						  : net_routes_get(routes, from, to, steps);
		const struct net_peer *at = net_graph_peer(graph, from, 0);
		uint32_t before = NET_NOBODY;

		for (uint32_t i = 0; count != NET_NO_ROUTE && i + 1 < count; i++) {
			at = net_graph_peer(graph, at->node, net_step_port(steps[i]));
			if (before != NET_NOBODY)
				bed->waits[before][at->link * LANES + net_step_lane(steps[i])] =
					true;
			before = at->link * LANES + net_step_lane(steps[i]);
		}
	}
}

// Whether a fault has this cable dead after a tick.
static bool reroutes_kill(const struct reroutes_bed *bed, uint32_t cable, int64_t ticks)
{
	const struct net_topology *topology = &bed->network.topology;
	const struct net_end *ends = topology->cables[cable].ends;
	bool dead = false;

	for (uint32_t i = 0; i < FAULTS; i++) {
		const struct net_fault *fault = &bed->faults[i];
		const uint32_t node = fault->number +
				      (fault->kind == NET_FAULT_SWITCH ? topology->hosts : 0);

		if (fault->from_ticks <= ticks && ticks < fault->to_ticks)
			dead |= fault->kind == NET_FAULT_CABLE
					? fault->number == cable
					: ends[0].node == node || ends[1].node == node;
	}
	return dead;
}

// Takes channels away that wait for none, until all that are left do.
static bool reroutes_have_cycle(const struct reroutes_bed *bed, int64_t ticks)
{
	bool gone[CHANNELS];
	bool changed = true, left = false;

	for (uint32_t i = 0; i < CHANNELS; i++)
		gone[i] = i / LANES >= bed->network.graph.links ||
			  reroutes_kill(bed, i / LANES / 2, ticks);
	while (changed) {
		changed = left = false;
		for (uint32_t i = 0; i < CHANNELS; i++) {
			bool waits = false;

			for (uint32_t k = 0; !gone[i] && k < CHANNELS && !waits; k++)
				waits = !gone[k] && bed->waits[i][k];
			changed |= !gone[i] && !waits;
			gone[i] |= !waits;
			left |= !gone[i];
		}
	}
	return left;
}

static bool has_channel(const struct net_cycle *cycle, uint32_t i, const struct reroutes_bed *bed)
{
	const struct net_cycle_step *step = &cycle->steps[i],
				    *next = &cycle->steps[(i + 1) % cycle->count];

	return bed->waits[step->link * LANES + step->lane][next->link * LANES + next->lane];
}

static void cycles_of_old_and_new_routes_are_found(void **state)
{
	static const char *const rules[] = {"updown", "shortest", "shortest:tie=hash",
					    "lash",   "dfsssp",	  "updown:root=central"};
	struct reroutes_bed *bed = calloc(1, sizeof(*bed));
	uint32_t together = 0, none = 0;

	(void)state;
	for (unsigned round = 0; round < 6 * routings_rounds(); round++) {
		struct tr_random random;
		struct net_cycle cycle;
		struct tr_error err;
		int64_t ticks, expected = INT64_MIN;
		bool found = false;

		tr_random_open(&random, round, "reroutes");
		memset(bed, 0, sizeof(*bed));
		reroutes_draw(bed, &random, rules[round % 6]);
		if (reroutes_open(&bed->reroutes, &bed->setup, rules[round % 6], 1, &err) !=
		    TR_OK) {
			print_message("%s\n", err.text);
			fail();
		}
		bed->setup.reroutes = bed->reroutes.list;
		bed->setup.reroute_count = bed->reroutes.count;
		assert_true(net_setup_lanes(&bed->setup) <= LANES);
		if (bed->reroutes.list[0].ticks != INT64_MIN + 1) {
			reroutes_add(bed, &bed->routes);
			found = reroutes_have_cycle(bed, INT64_MIN);
		}
		for (uint32_t i = 0; i < bed->reroutes.count && !found; i++) {
			expected = bed->reroutes.list[i].ticks;
			reroutes_add(bed, bed->reroutes.list[i].routes);
			found = reroutes_have_cycle(bed, expected - 1);
		}
		assert_int_equal(
			reroutes_find_cycle(&bed->reroutes, &bed->setup, &cycle, &ticks, NULL),
			TR_OK);
		assert_int_equal(cycle.count > 0, found);
		for (uint32_t i = 0; i < cycle.count; i++)
			assert_true(has_channel(&cycle, i, bed));
		if (found)
			assert_int_equal(ticks, expected);
		together += found && expected != INT64_MIN;
		none += !found;
		net_cycle_clear(&cycle);
		reroutes_close(&bed->reroutes);
		net_routes_clear(&bed->routes);
		net_graph_close(&bed->network.graph);
	}
	print_message("%u cycles of old and new routes, %u without\n", together, none);
	assert_true(together >= routings_rounds() / 10 && none >= routings_rounds() / 10);
	free(bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cycles_of_old_and_new_routes_are_found)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
