// SPDX-License-Identifier: GPL-3.0-or-later
// Trails and shortcuts of the network of Figure 4.1 of Qiao (1997): what the thesis prints of them,
// and what was worked out from it apart, twice.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "net/routings/routing.h"
#include "trails_figure.h"

static void degrees_are_those_of_the_figure(void **state)
{
	static const uint32_t degrees[FIGURE_SWITCHES] = {3, 6, 2, 4, 2, 6, 2, 2, 3};
	const struct trails_figure *figure = *state;

	for (uint32_t at = 0; at < FIGURE_SWITCHES; at++) {
		uint32_t degree = 0;

		for (uint32_t port = 0; port < 8; port++)
			degree += net_trail_is_edge(
				&figure->graph, at,
				net_graph_peer(&figure->graph, FIGURE_SWITCHES + at, port));
		assert_int_equal(degree, degrees[at]);
	}
}

static void the_trail_of_the_figure_is_taken(void **state)
{
	const struct trails_figure *figure = *state;
	struct net_trail trail;

	assert_int_equal(net_trail_parse(&trail, &figure->graph, FIGURE_TRAIL, NULL), TR_OK);
	assert_int_equal(trail.steps, FIGURE_STEPS);
	for (uint32_t i = 0; i < FIGURE_STEPS; i++)
		assert_int_equal(trail.links[i], 2 * (FIGURE_SWITCHES + i));
	net_trail_clear(&trail);
	// The cables between 1 and 5 the other way round, by the port of the first.
	assert_int_equal(
		net_trail_parse(&trail, &figure->graph, "0-5-4-3-8-7-1.4-5-2-3-1-5-6-0-1-8", NULL),
		TR_OK);
	assert_int_equal(trails_figure_step(trail.links[6]), 10);
	assert_int_equal(trails_figure_step(trail.links[10]), FIGURE_PRIMED);
	net_trail_clear(&trail);
}

static void wrong_trails_are_refused(void **state)
{
	static const struct {
		const char *text;
		const char *why;
	} cases[] = {
		{"etr:trail=0-5-4", "etr: the trail leaves out a cable between switches 0 and 6"},
		{"etr:trail=0-4", "etr: the trail's step 1: no cable joins switches 0 and 4"},
		{"etr:trail=0-5-0",
		 "etr: the trail's step 2, from switch 5 to 0, takes a cable for the second time"},
		{"etr:trail=0-9", "etr: the trail's word 2, \"9\": expected a switch, 0 to 8"},
		{"etr:trail=0.8-5", "etr: the trail's word 1, \"0.8\": switch 0 has no such port"},
		{"etr:trail=0.2-5",
		 "etr: the trail's step 1: port 2 of switch 0 does not lead to switch 5"},
		{"etr:trail=0--5", "etr: the trail's word 2, \"\": expected a switch, 0 to 8"},
		{"etr:trail=shortest",
		 "etr: trail=shortest: expected random, longest, lowest or a trail as 0-5-4"},
		{"atr:start=1", "atr: a trail cannot start at switch 1, but at 0 or 8, which have "
				"an odd number of cables to others"},
		{"atr:start=9", "atr: start=9: expected any or a switch of the network"},
		{"atr:best=0", "atr: best: expected 1 to 10000 trails"},
		{"atr:best=2,trail=" FIGURE_TRAIL,
		 "atr: best has no effect on a trail that is given"},
		{"atr:seed=2,trail=longest", "atr: seed has no effect without trail=random"},
		{"etr:dual=no", "etr: dual has no effect without routes=choices"},
	};
	const struct trails_figure *figure = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct net_routes routes;
		struct tr_error err;

		assert_int_equal(net_routing_make(&routes, &figure->topology, cases[i].text, &err),
				 TR_ERROR);
		assert_string_equal(err.text, cases[i].why);
	}
}

static void networks_without_a_trail_are_refused(void **state)
{
	static const struct {
		const char *network;
		const char *why;
	} cases[] = {
		{"mesh:3x3", "etr: no Eulerian trail: 4 switches have an odd number of cables to "
			     "others, only two may: switches "
			     "1, 3, 5, 7"},
		{"hypercube:5", "etr: no Eulerian trail: 32 switches have an odd number of cables "
				"to others, only two may: switches "
				"0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ..."},
		{"direct", "etr: no Eulerian trail: the network has no switches"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct net_topology topology;
		struct net_routes routes;
		struct tr_error err;

		assert_int_equal(net_topology_make(&topology, cases[i].network, NULL), TR_OK);
		assert_int_equal(net_routing_make(&routes, &topology, "etr", &err), TR_ERROR);
		assert_string_equal(err.text, cases[i].why);
		net_topology_clear(&topology);
	}
}

// Every picker's trail takes each cable once.
static void all_pickers_find_trails(void **state)
{
	static const char *const texts[] = {
		"etr:trail=lowest", "etr:trail=longest", "etr:trail=random,seed=7",
		"etr:start=8",	    "atr:best=5",	 "atr:trail=longest,best=2"};
	const struct trails_figure *figure = *state;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct net_trail_plan own;
		uint32_t taken = 0;

		trails_figure_plan(&own, figure, texts[i]);
		assert_int_equal(own.trail.steps, FIGURE_STEPS);
		for (uint32_t step = 0; step < FIGURE_STEPS; step++) {
			taken |= 1u << trails_figure_step(own.trail.links[step]);
			assert_int_equal(figure->cables[own.trail.links[step] / 2]
						 .ends[own.trail.links[step] % 2]
						 .node,
					 FIGURE_SWITCHES + own.trail.at[step]);
			assert_int_equal(figure->cables[own.trail.links[step] / 2]
						 .ends[1 - own.trail.links[step] % 2]
						 .node,
					 FIGURE_SWITCHES + own.trail.at[step + 1]);
		}
		assert_int_equal(taken, (1u << FIGURE_STEPS) - 1);
		net_trail_plan_close(&own);
	}
}

// Of more trails the best is no worse, and it is the best of those that are found one by one.
static void the_best_trail_has_the_smallest_detours(void **state)
{
	const struct trails_figure *figure = *state;
	double best = 1e9;

	for (uint32_t count = 1; count <= 12; count++) {
		struct net_trail_plan own;
		struct net_trail_wish wish = {NET_TRAIL_RANDOM, 0, count - 1, NET_NOBODY};
		char text[40];
		double detours;

		assert_int_equal(net_trail_find(&own.trail, &figure->graph, &wish, NULL), TR_OK);
		assert_int_equal(net_strand_open(&own.strands[0], &figure->graph, &own.trail,
						 NET_STRAND_BOTH, NULL),
				 TR_OK);
		assert_int_equal(net_trail_detours(&detours, &figure->graph, own.strands, 1, NULL),
				 TR_OK);
		net_strand_close(&own.strands[0]);
		net_trail_clear(&own.trail);
		best = detours < best ? detours : best;
		if (count == 1)
			continue;
		(void)snprintf(text, sizeof(text), "etr:best=%u", count);
		trails_figure_plan(&own, figure, text);
		assert_true(own.detours == best);
		net_trail_plan_close(&own);
	}
}

// "p,q:u>v types" of each shortcut; e' is marked.
static void assert_shortcuts(const struct net_strand *strand, const char *const *expected,
			     uint32_t count)
{
	assert_int_equal(strand->shortcut_count, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct net_shortcut *shortcut = &strand->shortcuts[i];
		char text[60];

		(void)snprintf(text, sizeof(text), "%u,%u:%u>%u%s %s%s%s%s%s%s", shortcut->from,
			       shortcut->to, strand->at[shortcut->from], strand->at[shortcut->to],
			       trails_figure_step(shortcut->link) == FIGURE_PRIMED ? "'" : "",
			       shortcut->types & NET_FREE ? "f" : "",
			       shortcut->types & NET_DESTINATION ? "d" : "",
			       shortcut->types & NET_SOURCE ? "s" : "",
			       shortcut->removed != 0 ? " -" : "",
			       shortcut->removed & NET_FREE ? "f" : "",
			       shortcut->removed & NET_SOURCE ? "s" : "");
		assert_string_equal(text, expected[i]);
	}
}

static void shortcuts_are_those_of_the_thesis(void **state)
{
	static const char *const first[] = {
		"0,6:0>1 d",   "0,12:0>6 ds",	"1,6:5>1' ds",	"1,6:5>1 ds",	"2,7:4>5 ds",
		"3,6:3>1 d",   "3,8:3>2 ds",	"4,6:8>1 ds",	"4,9:8>3 ds",	"5,15:7>8 ds",
		"6,7:1>5 d",   "6,9:1>3 ds",	"7,10:5>1' ds", "7,10:5>1 ds",	"8,11:2>5 ds",
		"9,15:3>8 fd", "10,11:1>5' fd", "10,13:1>0 ds", "11,13:5>0 ds", "11,14:5>1' ds",
		"11,14:5>1 ds"};
	static const char *const second[] = {
		"0,6:8>3 d",	"0,10:8>7 ds",	 "1,4:1>5' d -s", "1,4:1>5 d -s",  "2,4:0>5 ds",
		"2,5:0>1 d -s", "3,15:6>0 ds",	 "4,5:5>1' d",	  "4,7:5>2 d -s",  "5,8:1>5' d -s",
		"5,8:1>5 d -s", "6,9:3>1 d -s",	 "6,11:3>8 ds",	  "7,12:2>3 d -s", "8,9:5>1 d -f",
		"8,13:5>4 ds",	"9,11:1>8 d -s", "9,12:1>3 d -f", "9,14:1>5' ds",  "9,14:1>5 ds",
		"9,15:1>0 fd"};
	struct net_trail_plan own;

	trails_figure_plan(&own, *state, "atr:trail=" FIGURE_TRAIL);
	assert_shortcuts(&own.strands[0], first, 21);
	assert_shortcuts(&own.strands[1], second, 21);
	net_trail_plan_close(&own);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(degrees_are_those_of_the_figure),
		cmocka_unit_test(the_trail_of_the_figure_is_taken),
		cmocka_unit_test(wrong_trails_are_refused),
		cmocka_unit_test(networks_without_a_trail_are_refused),
		cmocka_unit_test(all_pickers_find_trails),
		cmocka_unit_test(the_best_trail_has_the_smallest_detours),
		cmocka_unit_test(shortcuts_are_those_of_the_thesis),
	};

	return cmocka_run_group_tests(tests, trails_figure_open, trails_figure_close);
}
