// SPDX-License-Identifier: GPL-3.0-or-later
// Random networks of 4 to 9 switches that have an Eulerian trail: the options along it are those
// that a plain search finds, and no worms can deadlock, whichever heuristics are on and whichever
// options but escapes are dropped. Without one of the rules that remove shortcuts, some can.
// FLIT_LONG=1 tries 10,000.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "immunity.h"
#include "net/routes/deadlock.h"
#include "net/routings/routing.h"
#include "trail_naive.h"
#include "value/random.h"

#define SWITCHES_MAX 9u
#define CABLES_MAX (IMMUNITY_LINKS_MAX / 2)
#define PORTS 33u

struct bed {
	struct net_topology topology;
	uint32_t ports[SWITCHES_MAX];
	struct net_cable cables[SWITCHES_MAX + CABLES_MAX];
	uint32_t joined[SWITCHES_MAX][SWITCHES_MAX]; // cables
	uint32_t degree[SWITCHES_MAX];
	uint32_t edges;
	struct net_graph graph;
};

static unsigned rounds(void)
{
	return getenv("FLIT_LONG") ? 10000 : 300;
}

static void join(struct bed *bed, uint32_t a, uint32_t b, int count)
{
	bed->joined[a][b] += (uint32_t)count;
	bed->joined[b][a] += (uint32_t)count;
	bed->degree[a] += (uint32_t)count;
	bed->degree[b] += (uint32_t)count;
	bed->edges += (uint32_t)count;
}

// Joins or parts odd switches two by two, until so many are left.
static void even_out(struct bed *bed, struct tr_random *random, bool parallel, uint32_t left)
{
	for (;;) {
		uint32_t odd[SWITCHES_MAX];
		uint32_t count = 0;
		uint32_t one;
		uint32_t other;

		for (uint32_t at = 0; at < bed->topology.switches; at++)
			if (bed->degree[at] % 2 != 0)
				odd[count++] = at;
		if (count <= left)
			return;
		one = (uint32_t)tr_random_below(random, count);
		other = (one + 1 + (uint32_t)tr_random_below(random, count - 1)) % count;
		join(bed, odd[one], odd[other],
		     bed->joined[odd[one]][odd[other]] == 0 || parallel ? 1 : -1);
	}
}

static bool is_connected(const struct bed *bed)
{
	uint32_t met = 1;

	for (uint32_t round = 0; round < bed->topology.switches; round++)
		for (uint32_t a = 0; a < bed->topology.switches; a++)
			for (uint32_t b = 0; b < bed->topology.switches; b++)
				if ((met >> a & 1) != 0 && bed->joined[a][b] > 0)
					met |= 1u << b;
	return met == (1u << bed->topology.switches) - 1;
}

// A host on port 0 of each switch, then the cables in random order.
static void lay(struct bed *bed, struct tr_random *random)
{
	const uint32_t switches = bed->topology.switches;
	uint32_t used[SWITCHES_MAX];

	bed->topology.hosts = switches;
	for (uint32_t i = 0; i < switches; i++) {
		bed->ports[i] = PORTS;
		used[i] = 1;
		bed->cables[bed->topology.cable_count++] = (struct net_cable){
			.ends = {{i, 0}, {switches + i, 0}}};
	}
	while (bed->edges > 0) {
		const uint32_t a = (uint32_t)tr_random_below(random, switches);
		const uint32_t b = (uint32_t)tr_random_below(random, switches);

		if (a == b || bed->joined[a][b] == 0)
			continue;
		bed->cables[bed->topology.cable_count++] = (struct net_cable){
			.ends = {{switches + a, used[a]++}, {switches + b, used[b]++}}};
		join(bed, a, b, -1);
	}
	assert_int_equal(net_graph_open(&bed->graph, &bed->topology, NULL), TR_OK);
}

static void draw(struct bed *bed, struct tr_random *random)
{
	bool parallel;

	do {
		const uint64_t share = 25 + tr_random_below(random, 50);

		*bed = (struct bed){.topology.ports = bed->ports, .topology.cables = bed->cables};
		bed->topology.switches = 4 + (uint32_t)tr_random_below(random, SWITCHES_MAX - 3);
		parallel = tr_random_below(random, 3) == 0;
		for (uint32_t a = 0; a < bed->topology.switches; a++)
			for (uint32_t b = 0; b < a; b++)
				if (tr_random_below(random, 100) < share)
					join(bed, a, b,
					     parallel && tr_random_below(random, 4) == 0 ? 2 : 1);
		even_out(bed, random, parallel, tr_random_below(random, 2) == 0 ? 0 : 2);
	} while (bed->edges > CABLES_MAX || !is_connected(bed));
	lay(bed, random);
}

static void make(struct net_routes *routes, const struct bed *bed, const char *text)
{
	struct tr_error err = {""};

	if (net_routing_make(routes, &bed->topology, text, &err) != TR_OK)
		fail_msg("%s: %s", text, err.text);
}

static void check(struct immunity *immunity, const struct bed *bed, const char *text)
{
	struct net_routes routes;

	make(&routes, bed, text);
	immunity_take(immunity, routes.choices);
	immunity_check(immunity);
	net_routes_clear(&routes);
}

static void assert_immune(const struct immunity *immunity, const char *text, unsigned round)
{
	if (!immunity_holds(immunity))
		fail_msg("network %u, %s: %u of %u links are immune, %u states are stuck", round,
			 text, immunity->immune, immunity->used, immunity->stuck);
}

static uint64_t drop(struct tr_random *random, uint64_t options, uint64_t escapes, uint64_t percent)
{
	for (uint32_t bit = 0; bit < 64; bit++)
		if ((options >> bit & 1) != 0 && (escapes >> bit & 1) == 0 &&
		    tr_random_below(random, 100) < percent)
			options &= ~(1ull << bit);
	return options;
}

// Drops options at random, all or some of those that are no escapes.
static void prune(struct immunity *immunity, struct tr_random *random, uint64_t percent)
{
	for (uint32_t to = 0; to < immunity->switches; to++) {
		for (uint32_t at = 0; at < immunity->switches; at++)
			immunity->of_hosts[at][to] = drop(random, immunity->of_hosts[at][to],
							  immunity->host_escapes[at][to], percent);
		for (uint32_t link = 0; link < immunity->links; link++)
			immunity->of_links[link][to] = drop(random, immunity->of_links[link][to],
							    immunity->link_escapes[link][to],
							    percent);
	}
}

static void no_heuristics_and_no_pruning_deadlock(void **state)
{
	static const uint64_t percents[] = {100, 50, 20};
	struct tr_random random;
	struct bed bed;

	(void)state;
	tr_random_open(&random, 17, "trails/immunity");
	for (unsigned round = 0; round < rounds(); round++) {
		const unsigned on = round % 8;
		struct immunity immunity;
		char text[100];

		draw(&bed, &random);
		(void)snprintf(text, sizeof(text), "atr:seed=%u,dual=%s,twice=%s,source=%s", round,
			       on & 1 ? "yes" : "no", on & 2 ? "yes" : "no", on & 4 ? "yes" : "no");
		check(&immunity, &bed, text);
		assert_immune(&immunity, text, round);
		(void)snprintf(text, sizeof(text), "atr:seed=%u,dual=no,twice=no,source=no", round);
		check(&immunity, &bed, text);
		assert_immune(&immunity, text, round);
		for (uint32_t i = 0; i < 3; i++) {
			struct immunity pruned = immunity;

			prune(&pruned, &random, percents[i]);
			immunity_check(&pruned);
			assert_immune(&pruned, "pruned at random", round);
		}
		net_graph_close(&bed.graph);
	}
}

// Above 15 and 40 %; Qiao's rules are needed.
static void without_a_rule_some_deadlock(void **state)
{
	static const struct {
		const char *rule;
		unsigned percent;
	} rules[] = {{"free-rule", 15}, {"source-rule", 40}};
	struct tr_random random;
	unsigned failed[2] = {0, 0};
	struct bed bed;

	(void)state;
	tr_random_open(&random, 17, "trails/without");
	for (unsigned round = 0; round < rounds(); round++) {
		draw(&bed, &random);
		for (uint32_t i = 0; i < 2; i++) {
			struct immunity immunity;
			char text[100];

			(void)snprintf(text, sizeof(text),
				       "atr:seed=%u,dual=no,twice=no,source=no,%s=no", round,
				       rules[i].rule);
			check(&immunity, &bed, text);
			failed[i] += !immunity_holds(&immunity);
		}
		net_graph_close(&bed.graph);
	}
	for (uint32_t i = 0; i < 2; i++) {
		print_message("without %s %.1f %% of %u networks can deadlock\n", rules[i].rule,
			      100.0 * failed[i] / rounds(), rounds());
		assert_true(failed[i] * 100 > rules[i].percent * rounds());
	}
}

static void assert_equal_lengths(const struct bed *bed, const struct net_routes *lists,
				 const struct net_routes *choices)
{
	uint16_t ports[100];

	assert_true(lists->longest <= 100 && choices->longest <= 100);
	for (uint32_t from = 0; from < bed->topology.hosts; from++)
		for (uint32_t to = 0; to < bed->topology.hosts; to++)
			assert_int_equal(net_routes_get(lists, from, to, ports),
					 net_routes_get(choices, from, to, ports));
}

static void trails_without_shortcuts_close_no_cycle(void **state)
{
	struct tr_random random;
	struct bed bed;

	(void)state;
	tr_random_open(&random, 17, "trails/etr");
	for (unsigned round = 0; round < rounds(); round++) {
		struct net_routes lists;
		struct net_routes choices;
		struct immunity immunity;
		struct net_cycle cycle;
		char text[100];

		draw(&bed, &random);
		(void)snprintf(text, sizeof(text), "etr:seed=%u", round);
		make(&lists, &bed, text);
		assert_int_equal(net_deadlock_find(&cycle, &bed.graph, &lists, NULL), TR_OK);
		assert_int_equal(cycle.count, 0);
		net_cycle_clear(&cycle);
		(void)snprintf(text, sizeof(text), "etr:seed=%u,routes=choices%s", round,
			       round % 2 == 0 ? "" : ",dual=no,twice=no,source=no");
		make(&choices, &bed, text);
		assert_equal_lengths(&bed, &lists, &choices);
		immunity_take(&immunity, choices.choices);
		immunity_check(&immunity);
		assert_immune(&immunity, text, round);
		assert_false(immunity_has_cycle(&immunity));
		net_routes_clear(&lists);
		net_routes_clear(&choices);
		net_graph_close(&bed.graph);
	}
}

static void assert_options(const struct net_choices *choices, uint32_t input, uint32_t to,
			   const struct naive_way *ways, uint32_t count)
{
	uint32_t found;
	const struct net_option *options = net_choices_get(choices, input, to, &found);

	assert_int_equal(found, count);
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(options[i].port, ways[i].port);
		assert_int_equal(options[i].escape, ways[i].escape);
	}
}

static void options_are_those_of_a_plain_search(void **state)
{
	struct tr_random random;
	struct bed bed;

	(void)state;
	tr_random_open(&random, 17, "trails/naive");
	for (unsigned round = 0; round < rounds() / 5; round++) {
		const struct net_trail_pruning pruning = {round & 1, round & 2, round & 4};
		const bool adaptive = round % 3 != 0;
		struct net_trail_plan plan;
		struct net_routes routes;
		char text[140];

		draw(&bed, &random);
		(void)snprintf(text, sizeof(text), "%s:seed=%u,dual=%s,twice=%s,source=%s%s",
			       adaptive ? "atr" : "etr", round, pruning.dual ? "yes" : "no",
			       pruning.twice ? "yes" : "no", pruning.source ? "yes" : "no",
			       adaptive ? "" : ",routes=choices");
		make(&routes, &bed, text);
		assert_int_equal(net_trail_plan_make(&plan, &bed.graph, text, NULL), TR_OK);
		for (uint32_t input = 0; input < net_choices_inputs(routes.choices); input++)
			for (uint32_t to = 0; to < bed.topology.switches; to++) {
				const struct net_input what = net_choices_what(routes.choices,
									       input);
				struct naive_way ways[NAIVE_WAYS_MAX];
				const uint32_t count = naive_options(
					ways, &bed.graph, &plan, pruning, what.at, what.link, to);

				assert_options(routes.choices, input, to, ways, count);
			}
		net_trail_plan_close(&plan);
		net_routes_clear(&routes);
		net_graph_close(&bed.graph);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_heuristics_and_no_pruning_deadlock),
		cmocka_unit_test(without_a_rule_some_deadlock),
		cmocka_unit_test(trails_without_shortcuts_close_no_cycle),
		cmocka_unit_test(options_are_those_of_a_plain_search),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
