// SPDX-License-Identifier: GPL-3.0-or-later
// The options and routes along the trail of Figure 4.3 of Qiao (1997): what the thesis prints of
// them, and what was worked out from it apart, twice.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../property/immunity.h"
#include "net/routings/routing.h"
#include "trails_figure.h"

static void make(struct net_routes *routes, const struct trails_figure *figure, const char *text)
{
	struct tr_error err = {""};

	if (net_routing_make(routes, &figure->topology, text, &err) != TR_OK)
		fail_msg("%s: %s", text, err.text);
}

// Rows of a table of options: the far switches, best first, e' marked, the escape with a star.
static void assert_options(const struct trails_figure *figure, const struct net_choices *choices,
			   uint32_t input, uint32_t to, const char *expected)
{
	const uint32_t at = net_choices_what(choices, input).at;
	char text[100] = "";
	size_t used = 0;
	uint32_t count;
	const struct net_option *options = net_choices_get(choices, input, to, &count);

	for (uint32_t i = 0; i < count; i++) {
		const struct net_peer *peer = net_graph_peer(&figure->graph, FIGURE_SWITCHES + at,
							     options[i].port);

		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%u%s%s",
					 i > 0 ? " " : "", peer->node - FIGURE_SWITCHES,
					 trails_figure_step(peer->link) == FIGURE_PRIMED ? "'" : "",
					 options[i].escape ? "*" : "");
	}
	assert_string_equal(text, expected);
}

// The input of a link along the trail (way 0) or back.
static uint32_t input_of(const struct net_choices *choices, uint32_t step, uint32_t way)
{
	return net_choices_input(choices, 2 * (FIGURE_SWITCHES + step) + way, 0);
}

static struct net_choices *fill_first(const struct trails_figure *figure,
				      struct net_trail_pruning pruning)
{
	struct net_choices *choices = net_choices_open(&figure->graph, 1, NULL);
	struct net_trail_plan own;

	trails_figure_plan(&own, figure, "atr:trail=" FIGURE_TRAIL);
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
	const struct trails_figure *figure = *state;
	struct net_choices *choices = fill_first(figure,
						 (struct net_trail_pruning){false, false, false});

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_options(figure, choices, input_of(choices, 7, 1), rows[i].to, rows[i].first);
		assert_options(figure, choices, input_of(choices, 10, 0), rows[i].to,
			       rows[i].to == 1 ? "" : rows[i].first);
		assert_options(figure, choices, input_of(choices, 1, 1), rows[i].to,
			       rows[i].second);
		assert_options(figure, choices, input_of(choices, FIGURE_PRIMED, 0), rows[i].to,
			       rows[i].primed);
	}
	net_choices_close(choices);
}

static void heuristics_prune_the_examples(void **state)
{
	const struct trails_figure *figure = *state;
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
	make(&routes, figure, "atr:trail=" FIGURE_TRAIL ",dual=no,twice=no,source=no");
	assert_options(figure, routes.choices, net_choices_host_input(0), 1, "1* 5 6");
	net_routes_clear(&routes);
	make(&routes, figure, "atr:trail=" FIGURE_TRAIL ",dual=no,twice=no");
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

		(void)snprintf(text, sizeof(text), "atr:trail=" FIGURE_TRAIL "%s", cases[i].keys);
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
		"atr:dual=no,twice=no,source=no,free-rule=no,trail=" FIGURE_TRAIL,
		"atr:dual=no,twice=no,source=no,source-rule=no,trail=" FIGURE_TRAIL};
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
static uint32_t sum_lengths(const struct trails_figure *figure, const char *text)
{
	struct net_routes routes;
	uint16_t ports[40];
	uint32_t sum = 0;

	make(&routes, figure, text);
	assert_true(routes.longest <= 40);
	for (uint32_t from = 0; from < FIGURE_SWITCHES; from++)
		for (uint32_t to = 0; to < FIGURE_SWITCHES; to++)
			sum += from != to ? net_routes_get(&routes, from, to, ports) - 1 : 0;
	net_routes_clear(&routes);
	return sum;
}

// Means 1.7500, 1.9167 and 1.7917 of 72 pairs.
static void mean_lengths(void **state)
{
	assert_int_equal(sum_lengths(*state, "shortest"), 126);
	assert_int_equal(sum_lengths(*state, "etr:trail=" FIGURE_TRAIL), 138);
	assert_int_equal(sum_lengths(*state, "etr:routes=choices,trail=" FIGURE_TRAIL), 138);
	assert_int_equal(sum_lengths(*state, "atr:trail=" FIGURE_TRAIL), 129);
}

static uint32_t walk(const struct trails_figure *figure, const struct net_routes *routes,
		     uint32_t from, uint32_t to, uint32_t *met)
{
	uint16_t ports[40];
	const uint32_t count = net_routes_get(routes, from, to, ports);

	for (uint32_t i = 0; i < count; i++) {
		met[i] = from;
		from = net_graph_peer(&figure->graph, FIGURE_SWITCHES + from, ports[i])->node -
		       FIGURE_SWITCHES;
	}
	return count;
}

// Table 4.1's column of ports, and the routes that the text names.
static void routes_along_the_trail(void **state)
{
	static const uint32_t next_of_8[FIGURE_SWITCHES] = {1, 1, 1, 3, 3, 7, 1, 7, 0};
	static const uint32_t from_6_to_2[] = {6, 5, 1, 3, 2};
	const struct trails_figure *figure = *state;
	struct net_routes routes;
	uint32_t met[40];

	make(&routes, figure, "etr:trail=" FIGURE_TRAIL);
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
	const struct trails_figure *figure = *state;
	struct table *tables[NET_TRAILS_TABLES];
	struct tr_error err;

	assert_int_equal(
		net_trails_table(tables, &figure->topology, "atr:trail=" FIGURE_TRAIL, NULL),
		TR_OK);
	assert_int_equal(table_rows(tables[0]), FIGURE_STEPS);
	assert_int_equal(table_rows(tables[1]), 42);
	table_free(tables[0]);
	table_free(tables[1]);
	assert_int_equal(net_trails_table(tables, &figure->topology, "updown", &err), TR_ERROR);
	assert_string_equal(err.text, "updown does not follow a trail");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_of_switch_5),
		cmocka_unit_test(heuristics_prune_the_examples),
		cmocka_unit_test(the_figure_is_free_of_deadlock),
		cmocka_unit_test(without_a_rule_the_figure_deadlocks),
		cmocka_unit_test(mean_lengths),
		cmocka_unit_test(routes_along_the_trail),
		cmocka_unit_test(tables_for_people),
	};

	return cmocka_run_group_tests(tests, trails_figure_open, trails_figure_close);
}
