// SPDX-License-Identifier: GPL-3.0-or-later
// Minimal, Valiant's and adaptive routes on lanes that rise: the ways themselves, and the proof
// beside a plain search through what many packets hold and ask for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/routes/channel_load.h"
#include "net/routes/deadlock.h"
#include "net/routes/route_path.h"
#include "net/routings/routing.h"
#include "net/topology/graph.h"
#include "net/topology/topology.h"

#define DETOURS_STEPS 64u

struct detours_bed {
	struct net_topology topology;
	struct net_graph graph;
	struct net_routes routes;
	uint32_t lanes;
	size_t channels;
	bool *waits; // [held * channels + wanted]
	uint64_t count;
};

static void detours_open_bed(struct detours_bed *bed, const char *network, const char *rule)
{
	struct tr_error err = {.text = ""};

	*bed = (struct detours_bed){0};
	assert_int_equal(net_topology_make(&bed->topology, network, NULL), TR_OK);
	assert_int_equal(net_graph_open(&bed->graph, &bed->topology, NULL), TR_OK);
	if (net_routing_make(&bed->routes, &bed->topology, rule, &err) != TR_OK)
		fail_msg("%s, %s: %s", network, rule, err.text);
	bed->lanes = bed->routes.lanes;
	bed->channels = (size_t)bed->graph.links * bed->lanes;
	bed->waits = calloc(bed->channels * bed->channels, 1);
}

static void detours_close_bed(struct detours_bed *bed)
{
	free(bed->waits);
	net_routes_clear(&bed->routes);
	net_graph_close(&bed->graph);
	net_topology_clear(&bed->topology);
}

static void detours_note(struct detours_bed *bed, size_t held, size_t wanted)
{
	bed->count += !bed->waits[held * bed->channels + wanted];
	bed->waits[held * bed->channels + wanted] = true;
}

// What a packet that goes by these steps holds and asks for. Returns whether they lead there.
static bool detours_go(struct detours_bed *bed, uint32_t from, uint32_t to, const uint16_t *steps,
		       uint32_t count)
{
	const struct net_peer *peer = net_graph_peer(&bed->graph, from, 0);
	size_t held = (size_t)peer->link * bed->lanes;

	for (uint32_t i = 0; i < count; i++) {
		const uint32_t lane = steps[i] / 1024;

		assert_true(lane < bed->lanes);
		peer = net_graph_peer(&bed->graph, peer->node, steps[i] % 1024);
		detours_note(bed, held, (size_t)peer->link * bed->lanes + lane);
		held = (size_t)peer->link * bed->lanes + lane;
	}
	return peer->node == to;
}

static bool detours_has_cycle(const struct detours_bed *bed)
{
	bool *gone = calloc(bed->channels, 1);
	bool changed = true, left = false;

	while (changed) {
		changed = left = false;
		for (size_t held = 0; held < bed->channels; held++) {
			bool waits = false;

			for (size_t wanted = 0; !gone[held] && !waits && wanted < bed->channels;
			     wanted++)
				waits = bed->waits[held * bed->channels + wanted] && !gone[wanted];
			changed |= !gone[held] && !waits;
			gone[held] |= !waits;
			left |= !gone[held];
		}
	}
	free(gone);
	return left;
}

// All that packets of a pair do that choose at some switch of a way, number by number.
static void detours_choose_all(struct detours_bed *bed, struct net_choosing of,
			       const uint16_t *steps, uint32_t count)
{
	uint32_t node = net_graph_peer(&bed->graph, of.source, 0)->node;

	for (of.hops = 0; of.hops + 1 < count; of.hops++) {
		uint16_t turned[DETOURS_STEPS];
		uint32_t more;

		of.at = node - bed->graph.hosts;
		memcpy(turned, steps, of.hops * sizeof(*steps));
		more = bed->routes.chooser->get(bed->routes.state, &of, 0, turned + of.hops);
		if (more > 0) {
			assert_true(of.hops + more <= bed->routes.longest);
			assert_true(
				detours_go(bed, of.source, of.destination, turned, of.hops + more));
		}
		node = net_graph_peer(&bed->graph, node, steps[of.hops] % 1024)->node;
	}
}

// The ways of so many numbers of each pair.
static void detours_take_ways(struct detours_bed *bed, uint32_t ways)
{
	uint16_t steps[DETOURS_STEPS];

	assert_true(bed->routes.longest <= DETOURS_STEPS);
	for (uint32_t from = 0; from < bed->routes.hosts; from++)
		for (uint32_t to = 0; to < bed->routes.hosts; to++)
			for (uint32_t way = 0; from != to && way < ways; way++) {
				const uint32_t count = net_routes_get_way(&bed->routes, from, to,
									  way, steps);

				assert_true(count <= bed->routes.longest);
				assert_true(detours_go(bed, from, to, steps, count));
				if (bed->routes.chooser)
					detours_choose_all(
						bed, (struct net_choosing){from, to, 0, 0, way},
						steps, count);
			}
}

// The ways that packets take make those dependencies that the proof has, and no others, and have a
// cycle if it says so.
static bool detours_check(const char *network, const char *rule, uint32_t ways)
{
	struct detours_bed bed;
	struct net_cycle cycle;
	bool found;

	detours_open_bed(&bed, network, rule);
	detours_take_ways(&bed, ways);
	found = detours_has_cycle(&bed);
	assert_int_equal(net_deadlock_find(&cycle, &bed.graph, &bed.routes, NULL), TR_OK);
	if (cycle.dependencies != bed.count || (cycle.count > 0) != found)
		fail_msg("%s, %s: %llu dependencies, by packets %llu; cycle of %u, %d", network,
			 rule, (unsigned long long)cycle.dependencies,
			 (unsigned long long)bed.count, cycle.count, found);
	for (uint32_t i = 0; i < cycle.count; i++) {
		const struct net_cycle_step *step = &cycle.steps[i],
					    *next = &cycle.steps[(i + 1) % cycle.count];

		assert_true(bed.waits[((size_t)step->link * bed.lanes + step->lane) * bed.channels +
				      (size_t)next->link * bed.lanes + next->lane]);
	}
	if (bed.routes.acyclic)
		assert_false(found);
	net_cycle_clear(&cycle);
	detours_close_bed(&bed);
	return found;
}

// Where switches of a group are joined over others only, packets that have left the group choose no
// more when they come back.
static void packets_choose_before_they_leave(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 40; seed++) {
		char network[80];

		snprintf(network, sizeof(network), "jellyfish:6,3,2,seed=%u", seed);
		detours_check(network, "ugal:group=2,progressive=yes", 1000);
	}
}

// Without groups no lane rises between any.
static void lanes_need_groups_to_rise_between(void **state)
{
	(void)state;
	assert_true(detours_check("torus:4x2", "minimal:tie=packet,rise=group", 100));
	assert_true(detours_check("torus:3x3", "valiant:rise=group", 400));
	assert_true(detours_check("ring:5", "ugal:rise=group", 400));
}

static void rules_need_their_lanes(void **state)
{
	static const struct {
		const char *network;
		const char *rule;
		uint32_t lanes;
		bool least; // one less closes a cycle
	} cases[] = {
		{"dragonfly:2,4,1", "minimal", 2, true},
		{"dragonfly:1,2,1", "valiant", 3, true},
		{"dragonfly:1,4,1,groups=4", "valiant", 3, true},
		{"dragonfly:1,3,1,global=palmtree", "valiant", 3, true},
		{"dragonfly:1,3,1", "ugal", 3, true},
		{"dragonfly:1,3,1", "ugal:progressive=yes", 4, true},
		{"dragonfly:1,3,2,groups=4", "ugal:progressive=yes", 4, true},
		{"dragonfly+:1,2,2,1", "valiant", 3, true},
		{"dragonfly+:1,2,2,1", "ugal:progressive=yes", 4, true},
		{"dragonfly:1,2,1", "valiant:rise=hop", 5, false},
		{"hyperx:3x3", "minimal:tie=packet", 2, true},
		{"hyperx:3x3", "valiant", 4, true},
		{"hyperx:3x2", "ugal", 4, true},
		{"full:5", "valiant", 2, true},
		{"full:5", "ugal", 2, true},
		{"ring:5", "minimal", 2, true},
		{"mesh:3x2", "minimal:tie=packet", 3, false},
		{"hyperx:3x3", "valiant:group=3", 3, true},
		{"hyperx:3x3", "ugal:group=3,progressive=yes", 4, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct detours_bed bed;
		char rule[80];

		detours_open_bed(&bed, cases[i].network, cases[i].rule);
		if (bed.routes.lanes != cases[i].lanes)
			fail_msg("%s, %s: %u lanes", cases[i].network, cases[i].rule,
				 bed.routes.lanes);
		assert_true(bed.routes.acyclic || strncmp(cases[i].network, "dragonfly+", 10) == 0);
		detours_close_bed(&bed);
		assert_false(detours_check(cases[i].network, cases[i].rule, 400));
		for (uint32_t lanes = 1; lanes < cases[i].lanes; lanes++) {
			bool found;

			snprintf(rule, sizeof(rule), "%s%clanes=%u", cases[i].rule,
				 strchr(cases[i].rule, ':') ? ',' : ':', lanes);
			found = detours_check(cases[i].network, rule, 400);
			if (lanes + 1 == cases[i].lanes && found != cases[i].least)
				fail_msg("%s, %s: %d", cases[i].network, rule, found);
		}
	}
}

// In a dragonfly a minimal way passes one cable between groups, and one at most in each group.
static void minimal_ways_of_dragonflies(void **state)
{
	struct detours_bed bed;
	uint16_t steps[DETOURS_STEPS];

	(void)state;
	detours_open_bed(&bed, "dragonfly:2,4,2", "minimal:tie=packet");
	assert_int_equal(bed.topology.group, 4);
	for (uint32_t pair = 0; pair < 72 * 72; pair++) {
		const uint32_t from = pair / 72, to = pair % 72;
		const uint32_t count = net_routes_get_way(&bed.routes, from, to, pair, steps);
		uint32_t node = 72 + from / 2, crossings = 0;

		for (uint32_t i = 0; i + 1 < count; i++) {
			const uint32_t next =
				net_graph_peer(&bed.graph, node, steps[i] % 1024)->node;

			assert_int_equal(steps[i] / 1024, crossings);
			crossings += (node - 72) / 4 != (next - 72) / 4;
			node = next;
		}
		assert_int_equal(node, 72 + to / 2);
		assert_int_equal(crossings, from / 8 != to / 8);
		assert_true(count <= (from / 8 != to / 8 ? 4 : 2));
	}
	detours_close_bed(&bed);
}

// Valiant's packets pass each other group as often: of 7, each of 7,000 within 6 standard
// deviations. Any traffic loads links as uniform traffic does: the shares of a permutation of
// groups are 2 / h of a host's rate, but for waypoints that are not the two groups themselves.
static void waypoints_are_uniform(void **state)
{
	struct detours_bed bed;
	uint16_t steps[DETOURS_STEPS];
	uint32_t passed[9] = {0};

	(void)state;
	detours_open_bed(&bed, "dragonfly:2,4,2", "valiant:seed=3");
	for (uint32_t way = 0; way < 7000; way++) {
		const uint32_t count = net_routes_get_way(&bed.routes, 1, 70, way, steps);
		uint32_t node = 72, last = 0;

		for (uint32_t i = 0; i + 1 < count; i++) {
			node = net_graph_peer(&bed.graph, node, steps[i] % 1024)->node;
			if ((node - 72) / 4 != last)
				passed[last = (node - 72) / 4]++;
		}
	}
	assert_int_equal(passed[0], 0);
	assert_int_equal(passed[8], 7000);
	for (uint32_t i = 1; i < 8; i++)
		assert_in_range(passed[i], 1000 - 176, 1000 + 176);
	detours_close_bed(&bed);
}

// The loads that the proof's walk adds up are those of many packets: within 6 standard deviations
// of a count of 5184 x 300 draws, by link.
static void loads_are_those_of_packets(void **state)
{
	struct detours_bed bed;
	struct net_loads loads;
	uint16_t steps[DETOURS_STEPS];
	double *counts;
	const uint32_t ways = 300;

	(void)state;
	detours_open_bed(&bed, "dragonfly:1,3,1", "valiant");
	counts = calloc(bed.graph.links, sizeof(*counts));
	assert_int_equal(
		net_loads_find(&loads, &bed.graph, &bed.routes, (struct net_demand){NULL}, NULL),
		TR_OK);
	for (uint32_t pair = 0; pair < 12 * 12; pair++)
		for (uint32_t way = 0; pair / 12 != pair % 12 && way < ways; way++) {
			const uint32_t count = net_routes_get_way(&bed.routes, pair / 12, pair % 12,
								  way, steps);
			const struct net_peer *peer = net_graph_peer(&bed.graph, pair / 12, 0);

			counts[peer->link] += 1.0 / ways;
			for (uint32_t i = 0; i < count; i++) {
				peer = net_graph_peer(&bed.graph, peer->node, steps[i] % 1024);
				counts[peer->link] += 1.0 / ways;
			}
		}
	for (uint32_t link = 0; link < bed.graph.links; link++) {
		const double off = counts[link] - loads.links[link];

		assert_true(off * off <= 36 * loads.links[link] / ways + 1e-9);
	}
	assert_int_equal(loads.pairs, 132);
	net_loads_clear(&loads);
	free(counts);
	detours_close_bed(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_need_their_lanes),
		cmocka_unit_test(packets_choose_before_they_leave),
		cmocka_unit_test(lanes_need_groups_to_rise_between),
		cmocka_unit_test(minimal_ways_of_dragonflies),
		cmocka_unit_test(waypoints_are_uniform),
		cmocka_unit_test(loads_are_those_of_packets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
