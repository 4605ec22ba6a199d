// SPDX-License-Identifier: GPL-3.0-or-later
// The network of Figure 4.1 of Qiao (1997) with the trail of Figure 4.3: what the thesis prints of
// it, and what was worked out from it apart, twice.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../property/immunity.h"
#include "net/routes/route_path.h"
#include "net/routings/routing.h"
#include "net/studies/trails/trail_plan.h"

#define TRAIL "0-5-4-3-8-7-1-5-2-3-1-5-6-0-1-8"
#define SWITCHES 9u
#define STEPS 15u
#define PRIMED \
	6u // the step that takes e', the first of the two cables between 1 and 5; e is that of step
	   // 10

struct figure {
	struct net_topology topology;
	uint32_t ports[SWITCHES];
	struct net_cable cables[SWITCHES + STEPS];
	struct net_graph graph;
};

// A host on port 0 of each switch, the cables in the order of the trail.
static int open_figure(void **state)
{
	static const uint32_t at[STEPS + 1] = {0, 5, 4, 3, 8, 7, 1, 5, 2, 3, 1, 5, 6, 0, 1, 8};
	struct figure *figure = calloc(1, sizeof(*figure));
	struct net_topology *topology = &figure->topology;
	uint32_t used[SWITCHES];

	*topology = (struct net_topology){.hosts = SWITCHES,
					  .switches = SWITCHES,
					  .ports = figure->ports,
					  .cables = figure->cables};
	for (uint32_t i = 0; i < SWITCHES; i++) {
		figure->ports[i] = 8;
		used[i] = 1;
		figure->cables[topology->cable_count++].ends[1] = (struct net_end){SWITCHES + i, 0};
		figure->cables[i].ends[0] = (struct net_end){i, 0};
	}
	for (uint32_t i = 0; i < STEPS; i++)
		figure->cables[topology->cable_count++] = (struct net_cable){
			.ends = {{SWITCHES + at[i], used[at[i]]++},
				 {SWITCHES + at[i + 1], used[at[i + 1]]++}}};
	assert_int_equal(net_graph_open(&figure->graph, topology, NULL), TR_OK);
	*state = figure;
	return 0;
}

static int close_figure(void **state)
{
	struct figure *figure = *state;

	net_graph_close(&figure->graph);
	free(figure);
	return 0;
}

static uint32_t cable_step(uint32_t link)
{
	return link / 2 - SWITCHES;
}

static void make(struct net_routes *routes, const struct figure *figure, const char *text)
{
	struct tr_error err = {""};

	if (net_routing_make(routes, &figure->topology, text, &err) != TR_OK)
		fail_msg("%s: %s", text, err.text);
}

static void plan(struct net_trail_plan *plan, const struct figure *figure, const char *text)
{
	struct tr_error err = {""};

	if (net_trail_plan_make(plan, &figure->graph, text, &err) != TR_OK)
		fail_msg("%s: %s", text, err.text);
}

static void degrees_are_those_of_the_figure(void **state)
{
	static const uint32_t degrees[SWITCHES] = {3, 6, 2, 4, 2, 6, 2, 2, 3};
	const struct figure *figure = *state;

	for (uint32_t at = 0; at < SWITCHES; at++) {
		uint32_t degree = 0;

		for (uint32_t port = 0; port < 8; port++)
			degree += net_trail_is_edge(
				&figure->graph, at,
				net_graph_peer(&figure->graph, SWITCHES + at, port));
		assert_int_equal(degree, degrees[at]);
	}
}

static void the_trail_of_the_figure_is_taken(void **state)
{
	const struct figure *figure = *state;
	struct net_trail trail;

	assert_int_equal(net_trail_parse(&trail, &figure->graph, TRAIL, NULL), TR_OK);
	assert_int_equal(trail.steps, STEPS);
	for (uint32_t i = 0; i < STEPS; i++)
		assert_int_equal(trail.links[i], 2 * (SWITCHES + i));
	net_trail_clear(&trail);
	// The cables between 1 and 5 the other way round, by the port of the first.
	assert_int_equal(
		net_trail_parse(&trail, &figure->graph, "0-5-4-3-8-7-1.4-5-2-3-1-5-6-0-1-8", NULL),
		TR_OK);
	assert_int_equal(cable_step(trail.links[6]), 10);
	assert_int_equal(cable_step(trail.links[10]), PRIMED);
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
		{"atr:best=2,trail=" TRAIL, "atr: best has no effect on a trail that is given"},
		{"atr:seed=2,trail=longest", "atr: seed has no effect without trail=random"},
		{"etr:dual=no", "etr: dual has no effect without routes=choices"},
	};
	const struct figure *figure = *state;

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
	const struct figure *figure = *state;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct net_trail_plan own;
		uint32_t taken = 0;

		plan(&own, figure, texts[i]);
		assert_int_equal(own.trail.steps, STEPS);
		for (uint32_t step = 0; step < STEPS; step++) {
			taken |= 1u << cable_step(own.trail.links[step]);
			assert_int_equal(figure->cables[own.trail.links[step] / 2]
						 .ends[own.trail.links[step] % 2]
						 .node,
					 SWITCHES + own.trail.at[step]);
			assert_int_equal(figure->cables[own.trail.links[step] / 2]
						 .ends[1 - own.trail.links[step] % 2]
						 .node,
					 SWITCHES + own.trail.at[step + 1]);
		}
		assert_int_equal(taken, (1u << STEPS) - 1);
		net_trail_plan_close(&own);
	}
}

// Of more trails the best is no worse, and it is the best of those that are found one by one.
static void the_best_trail_has_the_smallest_detours(void **state)
{
	const struct figure *figure = *state;
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
		plan(&own, figure, text);
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
			       cable_step(shortcut->link) == PRIMED ? "'" : "",
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

	plan(&own, *state, "atr:trail=" TRAIL);
	assert_shortcuts(&own.strands[0], first, 21);
	assert_shortcuts(&own.strands[1], second, 21);
	net_trail_plan_close(&own);
}

// Rows of a table of options: the far switches, best first, e' marked, the escape with a star.
static void assert_options(const struct figure *figure, const struct net_choices *choices,
			   uint32_t input, uint32_t to, const char *expected)
{
	const uint32_t at = net_choices_what(choices, input).at;
	char text[100] = "";
	size_t used = 0;
	uint32_t count;
	const struct net_option *options = net_choices_get(choices, input, to, &count);

	for (uint32_t i = 0; i < count; i++) {
		const struct net_peer *peer = net_graph_peer(&figure->graph, SWITCHES + at,
							     options[i].port);

		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%u%s%s",
					 i > 0 ? " " : "", peer->node - SWITCHES,
					 cable_step(peer->link) == PRIMED ? "'" : "",
					 options[i].escape ? "*" : "");
	}
	assert_string_equal(text, expected);
}

// The input of a link along the trail (way 0) or back.
static uint32_t input_of(const struct net_choices *choices, uint32_t step, uint32_t way)
{
	return net_choices_input(choices, 2 * (SWITCHES + step) + way, 0);
}

static struct net_choices *fill_first(const struct figure *figure, struct net_trail_pruning pruning)
{
	struct net_choices *choices = net_choices_open(&figure->graph, 1, NULL);
	struct net_trail_plan own;

	plan(&own, figure, "atr:trail=" TRAIL);
	assert_int_equal(net_trail_choices_fill(choices, own.strands, 1, pruning, NULL), TR_OK);
	net_trail_plan_close(&own);
	return choices;
}

// Tables 4.2 and 4.3: switch 5 on AT1. The two cables to 1 are told apart here.
static void tables_of_switch_5(void **state)
{
	static const struct {
		uint32_t to;
		const char *first;  // from 1 over e, and from 2
		const char *second; // from 4, over the second visit
		const char *primed; // from 1 over e'
	} rows[] = {{0, "0 6*", "0 6* 2", "0 6*"}, {1, "1' 1 6*", "1' 1 2 6*", ""},
		    {2, "", "2*", "2*"},	   {3, "", "2*", "2*"},
		    {6, "6*", "6*", "6*"},	   {8, "6*", "2 6*", "2 6*"}};
	const struct figure *figure = *state;
	struct net_choices *choices = fill_first(figure,
						 (struct net_trail_pruning){false, false, false});

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_options(figure, choices, input_of(choices, 7, 1), rows[i].to, rows[i].first);
		assert_options(figure, choices, input_of(choices, 10, 0), rows[i].to,
			       rows[i].to == 1 ? "" : rows[i].first);
		assert_options(figure, choices, input_of(choices, 1, 1), rows[i].to,
			       rows[i].second);
		assert_options(figure, choices, input_of(choices, PRIMED, 0), rows[i].to,
			       rows[i].primed);
	}
	net_choices_close(choices);
}

static void heuristics_prune_the_examples(void **state)
{
	const struct figure *figure = *state;
	struct net_choices *choices = fill_first(figure,
						 (struct net_trail_pruning){true, false, false});
	struct net_routes routes;

	assert_options(figure, choices, input_of(choices, 1, 1), 0, "0 6*");
	assert_options(figure, choices, input_of(choices, 1, 1), 8, "2 6*");
	net_choices_close(choices);
	choices = fill_first(figure, (struct net_trail_pruning){false, true, false});
	assert_options(figure, choices, input_of(choices, 1, 1), 0, "0 6*");
	assert_options(figure, choices, input_of(choices, 1, 1), 1, "1' 1 6*"); // 6 is the escape
	net_choices_close(choices);
	make(&routes, figure, "atr:trail=" TRAIL ",dual=no,twice=no,source=no");
	assert_options(figure, routes.choices, net_choices_host_input(0), 1, "1* 5 6");
	net_routes_clear(&routes);
	make(&routes, figure, "atr:trail=" TRAIL ",dual=no,twice=no");
	assert_options(figure, routes.choices, net_choices_host_input(0), 1, "1*");
	assert_true(net_choices_empty_needed(routes.choices));
	net_routes_clear(&routes);
}

static void the_figure_is_free_of_deadlock(void **state)
{
	static const struct {
		const char *keys;
		uint32_t states; // 0: not worked out apart
	} cases[] = {{",dual=no,twice=no,source=no", 172},
		     {",dual=no", 142},
		     {"", 0},
		     {",twice=no", 0},
		     {",source=no", 0}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct immunity immunity;
		struct net_routes routes;
		char text[100];

		(void)snprintf(text, sizeof(text), "atr:trail=" TRAIL "%s", cases[i].keys);
		make(&routes, *state, text);
		immunity_take(&immunity, routes.choices);
		immunity_check(&immunity);
		assert_int_equal(immunity.stuck, 0);
		assert_int_equal(immunity.used, 30);
		assert_int_equal(immunity.immune, 30);
		if (cases[i].states > 0)
			assert_int_equal(immunity.states, cases[i].states);
		net_routes_clear(&routes);
	}
}

// s(8,9) and s(7,12) of AT2 close cycles if they keep their types (Figures 4.4 and 4.5). The
// heuristics are off: they happen to drop the options that s(8,9) needs.
static void without_a_rule_the_figure_deadlocks(void **state)
{
	static const char *const texts[] = {
		"atr:dual=no,twice=no,source=no,free-rule=no,trail=" TRAIL,
		"atr:dual=no,twice=no,source=no,source-rule=no,trail=" TRAIL};
	static const uint32_t immune[] = {20, 0};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct immunity immunity;
		struct net_routes routes;

		make(&routes, *state, texts[i]);
		immunity_take(&immunity, routes.choices);
		immunity_check(&immunity);
		assert_int_equal(immunity.used, 30);
		assert_int_equal(immunity.immune, immune[i]);
		net_routes_clear(&routes);
	}
}

// The sum over all pairs of the switches on their routes, less one each: links between switches.
static uint32_t sum_lengths(const struct figure *figure, const char *text)
{
	struct net_routes routes;
	uint16_t ports[40];
	uint32_t sum = 0;

	make(&routes, figure, text);
	assert_true(routes.longest <= 40);
	for (uint32_t from = 0; from < SWITCHES; from++)
		for (uint32_t to = 0; to < SWITCHES; to++)
			sum += from != to ? net_routes_get(&routes, from, to, ports) - 1 : 0;
	net_routes_clear(&routes);
	return sum;
}

// Means 1.7500, 1.9167 and 1.7917 of 72 pairs.
static void mean_lengths(void **state)
{
	assert_int_equal(sum_lengths(*state, "shortest"), 126);
	assert_int_equal(sum_lengths(*state, "etr:trail=" TRAIL), 138);
	assert_int_equal(sum_lengths(*state, "etr:routes=choices,trail=" TRAIL), 138);
	assert_int_equal(sum_lengths(*state, "atr:trail=" TRAIL), 129);
}

static uint32_t walk(const struct figure *figure, const struct net_routes *routes, uint32_t from,
		     uint32_t to, uint32_t *met)
{
	uint16_t ports[40];
	const uint32_t count = net_routes_get(routes, from, to, ports);

	for (uint32_t i = 0; i < count; i++) {
		met[i] = from;
		from = net_graph_peer(&figure->graph, SWITCHES + from, ports[i])->node - SWITCHES;
	}
	return count;
}

// Table 4.1's column of ports, and the routes that the text names.
static void routes_along_the_trail(void **state)
{
	static const uint32_t next_of_8[SWITCHES] = {1, 1, 1, 3, 3, 7, 1, 7, 0};
	static const uint32_t from_6_to_2[] = {6, 5, 1, 3, 2};
	const struct figure *figure = *state;
	struct net_routes routes;
	uint32_t met[40];

	make(&routes, figure, "etr:trail=" TRAIL);
	for (uint32_t to = 0; to < 8; to++) {
		assert_true(walk(figure, &routes, 8, to, met) > 1);
		assert_int_equal(met[1], next_of_8[to]);
	}
	assert_int_equal(walk(figure, &routes, 6, 2, met), 5);
	assert_memory_equal(met, from_6_to_2, sizeof(from_6_to_2));
	assert_int_equal(walk(figure, &routes, 4, 8, met), 3);
	assert_int_equal(met[1], 3);
	assert_int_equal(walk(figure, &routes, 7, 0, met), 3);
	assert_int_equal(met[1], 1);
	net_routes_clear(&routes);
}

static void tables_for_people(void **state)
{
	const struct figure *figure = *state;
	struct table *tables[NET_TRAILS_TABLES];
	struct tr_error err;

	assert_int_equal(net_trails_table(tables, &figure->topology, "atr:trail=" TRAIL, NULL),
			 TR_OK);
	assert_int_equal(table_rows(tables[0]), STEPS);
	assert_int_equal(table_rows(tables[1]), 42);
	table_free(tables[0]);
	table_free(tables[1]);
	assert_int_equal(net_trails_table(tables, &figure->topology, "updown", &err), TR_ERROR);
	assert_string_equal(err.text, "updown goes along no trail");
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
		cmocka_unit_test(tables_of_switch_5),
		cmocka_unit_test(heuristics_prune_the_examples),
		cmocka_unit_test(the_figure_is_free_of_deadlock),
		cmocka_unit_test(without_a_rule_the_figure_deadlocks),
		cmocka_unit_test(mean_lengths),
		cmocka_unit_test(routes_along_the_trail),
		cmocka_unit_test(tables_for_people),
	};

	return cmocka_run_group_tests(tests, open_figure, close_figure);
}
