// SPDX-License-Identifier: GPL-3.0-or-later
// The network of Figure 4.1 of Qiao (1997) with the trail of Figure 4.3.
#ifndef TRAILS_FIGURE_H
#define TRAILS_FIGURE_H

#include "net/studies/trails/trail_plan.h"

#define FIGURE_TRAIL "0-5-4-3-8-7-1-5-2-3-1-5-6-0-1-8"
#define FIGURE_SWITCHES 9u
#define FIGURE_STEPS 15u
#define FIGURE_PRIMED \
	6u // the step that takes e', the first of the two cables between 1 and 5; e is that of step
	   // 10

// A host on port 0 of each switch, the cables in the order of the trail.
struct trails_figure {
	struct net_topology topology;
	uint32_t ports[FIGURE_SWITCHES];
	struct net_cable cables[FIGURE_SWITCHES + FIGURE_STEPS];
	struct net_graph graph;
};

// Group setup and teardown of cmocka; the state is a struct trails_figure.
int trails_figure_open(void **state);
int trails_figure_close(void **state);

// The step of the trail that takes a link's cable.
uint32_t trails_figure_step(uint32_t link);

// Plans a rule along a trail of the figure, or fails the test.
void trails_figure_plan(struct net_trail_plan *plan, const struct trails_figure *figure,
			const char *text);

#endif
