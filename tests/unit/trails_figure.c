// SPDX-License-Identifier: GPL-3.0-or-later
#include "trails_figure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

int trails_figure_open(void **state)
{
	static const uint32_t at[FIGURE_STEPS + 1] = {0, 5, 4, 3, 8, 7, 1, 5,
						      2, 3, 1, 5, 6, 0, 1, 8};
	struct trails_figure *figure = calloc(1, sizeof(*figure));
	struct net_topology *topology = &figure->topology;
	uint32_t used[FIGURE_SWITCHES];

	*topology = (struct net_topology){.hosts = FIGURE_SWITCHES,
					  .switches = FIGURE_SWITCHES,
					  .ports = figure->ports,
					  .cables = figure->cables};
	for (uint32_t i = 0; i < FIGURE_SWITCHES; i++) {
		figure->ports[i] = 8;
		used[i] = 1;
		figure->cables[topology->cable_count++].ends[1] = (struct net_end){
			FIGURE_SWITCHES + i, 0};
		figure->cables[i].ends[0] = (struct net_end){i, 0};
	}
	for (uint32_t i = 0; i < FIGURE_STEPS; i++)
		figure->cables[topology->cable_count++] = (struct net_cable){
			.ends = {{FIGURE_SWITCHES + at[i], used[at[i]]++},
				 {FIGURE_SWITCHES + at[i + 1], used[at[i + 1]]++}}};
	assert_int_equal(net_graph_open(&figure->graph, topology, NULL), TR_OK);
	*state = figure;
	return 0;
}

int trails_figure_close(void **state)
{
	struct trails_figure *figure = *state;

	net_graph_close(&figure->graph);
	free(figure);
	return 0;
}

uint32_t trails_figure_step(uint32_t link)
{
	return link / 2 - FIGURE_SWITCHES;
}

void trails_figure_plan(struct net_trail_plan *plan, const struct trails_figure *figure,
			const char *text)
{
	struct tr_error err = {""};

	if (net_trail_plan_make(plan, &figure->graph, text, &err) != TR_OK)
		fail_msg("%s: %s", text, err.text);
}
