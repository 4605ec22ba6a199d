// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a run in which nothing is under way, at the start of a cycle, as words of a view
// (net/view.h): the input that each output served last.
#include "net/switched/switched_run.h"

static bool switched_state_is_idle(const struct switched_run *run, uint32_t channel)
{
	const struct switched_output *out = &run->outputs[channel];
	const struct switched_input *in = &run->inputs[channel];

	return out->worm == NET_NO_WORM && out->nominee == NET_NO_WORM && in->count == 0 &&
	       in->state == SWITCHED_WAITS && !in->stored && in->wanted == UINT32_MAX &&
	       run->medium->rests(run, channel);
}

void switched_put_state(void *context, struct net_view *view)
{
	const struct switched_run *run = context;
	const struct switched_todo *todo = &run->todo;
	const uint32_t channels = run->net.graph.links * run->lanes;

	view->busy = run->net.pool.alive > 0 || !run->medium->rests || !run->moves ||
		     todo->looks.count + todo->fills.count + todo->touched.count +
				     todo->tries.count + todo->lost.count >
			     0;
	for (uint32_t i = 0; i < channels && !view->busy; i++) {
		view->busy = !switched_state_is_idle(run, i);
		net_view_put(view, run->outputs[i].turn);
	}
}
