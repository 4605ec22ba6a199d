// SPDX-License-Identifier: GPL-3.0-or-later
// Routes with a choice on random networks: all that the rule allows is there, best first, nothing
// else, and no worms can wait for one another in a cycle. FLIT_LONG=1 tries many more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "routings_bed.h"

#include "net/routes/choices.h"
#include "net/routings/routing.h"

#define FAR 10000

// Legal lengths by up*/down*, from having taken a port of a switch to another switch, without going
// straight back: by relaxing until nothing changes. FAR for none.
static int lengths[ROUTINGS_SWITCHES][ROUTINGS_PORTS];

static bool may_turn(const struct routings_bed *bed, uint32_t from, uint32_t at, int next)
{
	const bool down = bed->rank[at] > bed->rank[from];

	return next >= 0 && next != (int)from && !(down && bed->rank[next] < bed->rank[at]);
}

static bool relax(const struct routings_bed *bed, uint32_t to)
{
	bool changed = false;

	for (uint32_t at = 0; at < bed->topology.switches; at++)
		for (uint32_t port = 0; port < ROUTINGS_PORTS; port++) {
			const int next = routings_peer(bed, at, port);
			int best = next == (int)to ? 1 : FAR;

			for (uint32_t on = 0; next >= 0 && next != (int)to && on < ROUTINGS_PORTS;
			     on++)
				if (may_turn(bed, at, (uint32_t)next,
					     routings_peer(bed, (uint32_t)next, on)) &&
				    lengths[next][on] + 1 < best)
					best = lengths[next][on] + 1;
			if (next < 0 || best >= lengths[at][port])
				continue;
			lengths[at][port] = best;
			changed = true;
		}
	return changed;
}

static void measure(const struct routings_bed *bed, uint32_t to)
{
	for (uint32_t i = 0; i < ROUTINGS_SWITCHES * ROUTINGS_PORTS; i++)
		lengths[i / ROUTINGS_PORTS][i % ROUTINGS_PORTS] = FAR;
	while (relax(bed, to))
		continue;
}

// Where an input comes from; -1 for hosts.
static int comes_from(const struct routings_bed *bed, const struct net_input *input)
{
	const struct net_cable *cable = input->link == NET_NOBODY
						? NULL
						: &bed->topology.cables[input->link / 2];

	return cable ? (int)(cable->ends[input->link % 2].node - bed->topology.hosts) : -1;
}

// How many options the rule allows an input, and that each is there in its place.
static void check_entry(const struct routings_bed *bed, const struct net_choices *choices,
			uint32_t number, uint32_t to, bool prune)
{
	const struct net_input input = net_choices_what(choices, number);
	const int from = comes_from(bed, &input);
	uint32_t count;
	const struct net_option *options = net_choices_get(choices, number, to, &count);
	uint32_t expected = 0;
	int shortest = FAR;

	for (uint32_t port = 0; port < ROUTINGS_PORTS; port++)
		if (from < 0 ||
		    may_turn(bed, (uint32_t)from, input.at, routings_peer(bed, input.at, port)))
			shortest = lengths[input.at][port] < shortest ? lengths[input.at][port]
								      : shortest;
	for (uint32_t port = 0; port < ROUTINGS_PORTS; port++) {
		const int length = lengths[input.at][port];
		bool found = false;
		bool wanted = length < FAR && (!prune || length <= 2 || length < 2 * shortest);

		wanted &= from < 0 || may_turn(bed, (uint32_t)from, input.at,
					       routings_peer(bed, input.at, port));
		for (uint32_t i = 0; i < count; i++)
			found |= options[i].port == port;
		assert_int_equal(found, wanted);
		expected += wanted;
	}
	assert_int_equal(count, expected);
	for (uint32_t i = 1; i < count; i++) {
		const int before = lengths[input.at][options[i - 1].port];
		const int after = lengths[input.at][options[i].port];

		assert_true(before < after ||
			    (before == after && options[i - 1].port < options[i].port));
	}
}

static void check_updown(const struct routings_bed *bed, const struct net_routes *routes,
			 bool prune)
{
	bool has_hosts[ROUTINGS_SWITCHES] = {false};

	for (uint32_t host = 0; host < bed->topology.hosts; host++)
		has_hosts[routings_home(bed, host)] = true;
	for (uint32_t to = 0; to < bed->topology.switches; to++) {
		if (!has_hosts[to])
			continue;
		measure(bed, to);
		for (uint32_t input = 0; input < net_choices_inputs(routes->choices); input++) {
			const struct net_input what = net_choices_what(routes->choices, input);
			uint32_t count;

			if (comes_from(bed, &what) == (int)to) { // no worm leaves its destination
				(void)net_choices_get(routes->choices, input, to, &count);
				assert_int_equal(count, 0);
			} else if (what.at != to && (what.link != NET_NOBODY || has_hosts[what.at]))
				check_entry(bed, routes->choices, input, to, prune);
		}
	}
	assert_false(routings_cycle(&bed->graph, routes));
	routings_check_lists(&bed->graph, routes, false);
}

// Numbers the switches by their distance from the root, larger numbers first.
static void rank_by_level(struct routings_bed *bed, uint32_t root)
{
	int level[ROUTINGS_SWITCHES];

	routings_rank(bed, root);
	for (uint32_t i = 0; i < ROUTINGS_SWITCHES; i++)
		level[i] = i == root ? 0 : FAR;
	for (uint32_t round = 0; round < ROUTINGS_SWITCHES; round++)
		for (uint32_t i = 0; i < ROUTINGS_SWITCHES * ROUTINGS_PORTS; i++) {
			const uint32_t at = i / ROUTINGS_PORTS;
			const int next = at < bed->topology.switches
						 ? routings_peer(bed, at, i % ROUTINGS_PORTS)
						 : -1;

			if (next >= 0 && level[at] + 1 < level[next])
				level[next] = level[at] + 1;
		}
	for (uint32_t i = 0; i < bed->topology.switches; i++)
		bed->rank[i] = level[i] * 100 - (int)i;
}

static void all_legal_ways_and_no_other(void **state)
{
	struct tr_random random;
	static struct routings_bed bed;

	(void)state;
	tr_random_open(&random, 6, "routings");
	for (unsigned round = 0; round < routings_rounds(); round++) {
		const bool by_level = tr_random_below(&random, 2);
		const bool prune = tr_random_below(&random, 2);
		struct net_routes routes;
		uint32_t root;
		char rule[100];

		routings_draw(&bed, &random);
		root = (uint32_t)tr_random_below(&random, bed.topology.switches);
		(by_level ? rank_by_level : routings_rank)(&bed, root);
		snprintf(rule, sizeof(rule), "updown:adaptive=yes,root=%u%s%s", root,
			 by_level ? ",order=level-id" : "", prune ? ",prune=yes" : "");
		assert_int_equal(net_routing_make(&routes, &bed.topology, rule, NULL), TR_OK);
		check_updown(&bed, &routes, prune);
		net_routes_clear(&routes);
		net_graph_close(&bed.graph);
	}
}

// Options of all pairs of hosts at their first switches.
static uint32_t count_options(const struct routings_bed *bed, const char *rule, uint32_t from,
			      uint32_t to)
{
	struct net_routes routes;
	uint32_t sum = 0;

	assert_int_equal(net_routing_make(&routes, &bed->topology, rule, NULL), TR_OK);
	for (uint32_t pair = 0; pair < bed->topology.switches * bed->topology.switches; pair++) {
		uint32_t count;

		(void)net_choices_get(routes.choices,
				      net_choices_host_input(pair / bed->topology.switches),
				      pair % bed->topology.switches, &count);
		if (from == NET_NOBODY || pair == from * bed->topology.switches + to)
			sum += count;
	}
	net_routes_clear(&routes);
	return sum;
}

// Counted by hand. Round a square from root 0, 1 and 3 are above 2: 0 to 2 and 2 to 0 have both
// ways round, and 1 to 2, 3 to 2, 2 to 1 and 2 to 3 the short one and three hops over the root,
// which pruning drops; the other six pairs have one. In a triangle, the larger of 1 and 2 is above
// by level and number: 0 reaches 1 over 2, and 2 only directly.
static void options_of_a_square_and_a_triangle(void **state)
{
	static struct routings_bed bed;

	(void)state;
	routings_ring(&bed, 4);
	assert_int_equal(count_options(&bed, "updown:adaptive=yes", NET_NOBODY, 0), 18);
	assert_int_equal(count_options(&bed, "updown:adaptive=yes,prune=yes", NET_NOBODY, 0), 14);
	net_graph_close(&bed.graph);
	routings_ring(&bed, 3);
	assert_int_equal(count_options(&bed, "updown:adaptive=yes", NET_NOBODY, 0), 10);
	assert_int_equal(count_options(&bed, "updown:adaptive=yes,prune=yes", NET_NOBODY, 0), 10);
	assert_int_equal(count_options(&bed, "updown:adaptive=yes", 0, 1), 1);
	assert_int_equal(count_options(&bed, "updown:adaptive=yes", 0, 2), 2);
	assert_int_equal(count_options(&bed, "updown:adaptive=yes,order=level-id", 0, 1), 2);
	assert_int_equal(count_options(&bed, "updown:adaptive=yes,order=level-id", 0, 2), 1);
	net_graph_close(&bed.graph);
}

static uint32_t degree(const struct routings_bed *bed, uint32_t at)
{
	uint32_t count = 0;

	for (uint32_t port = 0; port < ROUTINGS_PORTS; port++)
		count += routings_peer(bed, at, port) >= 0;
	return count;
}

// The least of the three switches with most cables, by trying each.
static uint64_t least_of_three(const struct routings_bed *bed)
{
	bool tried[ROUTINGS_SWITCHES] = {false};
	uint64_t least = UINT64_MAX;

	for (uint32_t i = 0; i < 3 && i < bed->topology.switches; i++) {
		uint32_t root = ROUTINGS_SWITCHES;
		uint64_t length;
		char rule[40];

		for (uint32_t at = 0; at < bed->topology.switches; at++)
			if (!tried[at] &&
			    (root == ROUTINGS_SWITCHES || degree(bed, at) > degree(bed, root)))
				root = at;
		tried[root] = true;
		snprintf(rule, sizeof(rule), "updown:root=%u", root);
		length = routings_length(&bed->topology, rule);
		least = length < least ? length : least;
	}
	return least;
}

static void the_best_root_of_three(void **state)
{
	struct tr_random random;
	static struct routings_bed bed;
	unsigned better = 0;

	(void)state;
	tr_random_open(&random, 7, "routings");
	for (unsigned round = 0; round < routings_rounds(); round++) {
		uint64_t length;

		routings_draw(&bed, &random);
		length = routings_length(&bed.topology, "updown:root=best-of-three");
		assert_int_equal(length, least_of_three(&bed));
		better += length < routings_length(&bed.topology, "updown:root=degree");
		net_graph_close(&bed.graph);
	}
	assert_true(better > 0);
}

// Lengths of the shortest ways over any links, from having taken a port.
static void measure_minimal(const struct routings_bed *bed, uint32_t to)
{
	int least[ROUTINGS_SWITCHES];

	for (uint32_t at = 0; at < ROUTINGS_SWITCHES; at++)
		least[at] = at == to ? 0 : FAR;
	for (uint32_t round = 0; round < ROUTINGS_SWITCHES; round++)
		for (uint32_t i = 0; i < bed->topology.switches * ROUTINGS_PORTS; i++) {
			const int next = routings_peer(bed, i / ROUTINGS_PORTS, i % ROUTINGS_PORTS);

			if (next >= 0 && least[next] + 1 < least[i / ROUTINGS_PORTS])
				least[i / ROUTINGS_PORTS] = least[next] + 1;
		}
	for (uint32_t i = 0; i < bed->topology.switches * ROUTINGS_PORTS; i++) {
		const int next = routings_peer(bed, i / ROUTINGS_PORTS, i % ROUTINGS_PORTS);

		lengths[i / ROUTINGS_PORTS][i % ROUTINGS_PORTS] = next >= 0 && least[next] < FAR
									  ? least[next] + 1
									  : FAR;
	}
}

// The options of an input on one lane are the ports of least length among those that may follow
// from, -1 for all; none where they shall not be.
static void check_lane(const struct routings_bed *bed, const struct net_choices *choices,
		       uint32_t number, uint32_t to, uint32_t lane, int from, bool there)
{
	const uint32_t at = net_choices_what(choices, number).at;
	uint32_t count;
	const struct net_option *options = net_choices_get(choices, number, to, &count);
	int least = FAR;

	for (uint32_t port = 0; port < ROUTINGS_PORTS; port++)
		if ((from < 0 || may_turn(bed, (uint32_t)from, at, routings_peer(bed, at, port))) &&
		    lengths[at][port] < least)
			least = lengths[at][port];
	for (uint32_t port = 0; port < ROUTINGS_PORTS; port++) {
		bool wanted = there && lengths[at][port] == least && least < FAR;
		bool found = false;

		wanted &= from < 0 ||
			  may_turn(bed, (uint32_t)from, at, routings_peer(bed, at, port));
		for (uint32_t i = 0; i < count; i++)
			found |= options[i].port == port && options[i].lane == lane &&
				 options[i].escape == (lane == 0) &&
				 (i == 0 || options[i - 1].lane >= lane);
		assert_int_equal(found, wanted);
	}
}

// On lane 1 all minimal ways; on lane 0 the shortest legal ones from where a worm is, and no way
// back.
static void check_escape(const struct routings_bed *bed, const struct net_choices *choices,
			 uint32_t to)
{
	bool *seen = calloc(net_choices_inputs(choices), 1);

	routings_reach(choices, to, seen);
	for (unsigned lane = 0; lane < 2; lane++) {
		(lane == 0 ? measure : measure_minimal)(bed, to);
		for (uint32_t input = 0; input < net_choices_inputs(choices); input++) {
			const struct net_input what = net_choices_what(choices, input);
			const bool held = what.link != NET_NOBODY && what.lane == 0;

			if (what.at != to && seen[input])
				check_lane(bed, choices, input, to, lane,
					   held ? comes_from(bed, &what) : -1, lane == 0 || !held);
		}
	}
	free(seen);
}

static void minimal_ways_with_an_escape(void **state)
{
	struct tr_random random;
	static struct routings_bed bed;

	(void)state;
	tr_random_open(&random, 9, "routings");
	for (unsigned round = 0; round < routings_rounds(); round++) {
		struct net_routes routes;
		char rule[40];

		routings_draw(&bed, &random);
		routings_rank(&bed, round % bed.topology.switches);
		snprintf(rule, sizeof(rule), "escape:root=%u", round % bed.topology.switches);
		assert_int_equal(net_routing_make(&routes, &bed.topology, rule, NULL), TR_OK);
		assert_int_equal(routes.lanes, 2);
		for (uint32_t host = 0; host < bed.topology.hosts; host++)
			check_escape(&bed, routes.choices, routings_home(&bed, host));
		routings_check_lists(&bed.graph, &routes, true);
		assert_false(routings_escape_cycle(&bed.graph, &routes));
		net_routes_clear(&routes);
		net_graph_close(&bed.graph);
	}
}

// Follows a worm that has come to a switch by an input after so many links: its options are all
// ports to switches one link nearer, and their lane is that number. Returns the ways.
static uint64_t follow_adaptive(const struct routings_bed *bed, const struct net_choices *choices,
				const uint32_t *far, uint32_t input, uint32_t to, uint32_t links)
{
	const struct net_input what = net_choices_what(choices, input);
	uint32_t count, nearer = 0;
	const struct net_option *options = net_choices_get(choices, input, to, &count);
	uint64_t ways = 0;

	for (uint32_t port = 0; port < ROUTINGS_PORTS; port++) {
		const int next = routings_peer(bed, what.at, port);

		nearer += next >= 0 && far[next] + 1 == far[what.at];
	}
	assert_int_equal(count, nearer);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t next = net_choices_next(choices, what.at, options[i]);
		const uint32_t at = net_choices_what(choices, next).at;

		assert_int_equal(options[i].lane, links);
		assert_int_equal(far[at] + 1, far[what.at]);
		ways += at == to ? 1 : follow_adaptive(bed, choices, far, next, to, links + 1);
	}
	return ways;
}

static void all_shortest_ways_by_links_passed(void **state)
{
	struct tr_random random;
	static struct routings_bed bed;

	(void)state;
	tr_random_open(&random, 10, "routings");
	for (unsigned round = 0; round < routings_rounds(); round++) {
		struct net_routes routes;

		routings_draw(&bed, &random);
		assert_int_equal(net_routing_make(&routes, &bed.topology, "adaptive", NULL), TR_OK);
		for (uint32_t pair = 0; pair < bed.topology.hosts * bed.topology.hosts; pair++) {
			const uint32_t from = routings_home(&bed, pair / bed.topology.hosts),
				       to = routings_home(&bed, pair % bed.topology.hosts);
			uint32_t far[ROUTINGS_SWITCHES];

			for (uint32_t at = 0; at < ROUTINGS_SWITCHES; at++)
				far[at] = at == to ? 0 : 1000;
			for (uint32_t i = 0; i < ROUTINGS_SWITCHES * ROUTINGS_SWITCHES; i++)
				for (uint32_t port = 0;
				     i % ROUTINGS_SWITCHES < bed.topology.switches &&
				     port < ROUTINGS_PORTS;
				     port++) {
					const uint32_t at = i % ROUTINGS_SWITCHES;
					const int next = routings_peer(&bed, at, port);

					if (next >= 0 && far[next] + 1 < far[at])
						far[at] = far[next] + 1;
				}
			if (from != to)
				assert_true(follow_adaptive(&bed, routes.choices, far,
							    net_choices_host_input(from), to,
							    0) > 0);
		}
		routings_check_lists(&bed.graph, &routes, true);
		assert_false(routings_cycle(&bed.graph, &routes));
		net_routes_clear(&routes);
		net_graph_close(&bed.graph);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_legal_ways_and_no_other),
		cmocka_unit_test(options_of_a_square_and_a_triangle),
		cmocka_unit_test(the_best_root_of_three),
		cmocka_unit_test(minimal_ways_with_an_escape),
		cmocka_unit_test(all_shortest_ways_by_links_passed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
