// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/output.h"

#include "net/myrinet/runs/change.h"
#include "net/myrinet/runs/input.h"
#include "net/myrinet/runs/meter.h"
#include "net/myrinet/runs/plan.h"

static void want_arbitration(struct run_net *runs, struct run_link *link)
{
	struct run_output *output = &link->output;

	if (output->assigned || output->arbitrating || output->waiting == 0)
		return;
	output->arbitrating = true;
	myr_push(&runs->net, runs->net.events.now_ticks, MYR_ARBITRATE, link->number, 0);
}

void run_output_ask(struct run_net *runs, struct run_link *link)
{
	link->output.waiting++;
	want_arbitration(runs, link);
}

// The request to serve next: the first in the order from behind the last winner, or the oldest.
static struct run_link *choose(const struct run_net *runs, struct run_link *out)
{
	const struct myr_switch *crossbar = out->output.crossbar;
	struct run_link *chosen = NULL;
	uint32_t pointer = out->output.pointer;

	for (uint32_t i = 0; i < crossbar->ports; i++) {
		uint32_t place = (pointer + i) % crossbar->ports;
		const struct myr_link *in = crossbar->in[crossbar->order[place]];
		struct run_link *link = in != NULL ? runs->link_of[in->number] : NULL;

		if (link == NULL || link->input.state != RUN_INPUT_WAITS ||
		    link->input.output != out ||
		    (chosen != NULL && link->input.asked_ticks >= chosen->input.asked_ticks))
			continue;
		chosen = link;
		out->output.pointer = (place + 1) % crossbar->ports;
		if (!runs->net.params->crossbar.first_come)
			break;
	}
	return chosen;
}

void run_output_arbitrate(struct run_net *runs, struct run_link *link)
{
	struct run_output *output = &link->output;
	struct run_link *input = choose(runs, link);
	const struct run_segment *segment = run_segment_at(input, 0);

	output->arbitrating = false;
	run_meter_blocked_port(runs, input, input->input.asked_ticks);
	output->assigned = true;
	output->waiting--;
	input->input.state = RUN_INPUT_FLOWS;
	run_plan_begin(runs, link, segment->worm, segment->hop + 1,
		       runs->net.events.now_ticks + runs->net.times.assignment_ticks);
	link->sender.input = input;
	link->sender.offset = segment->base + 1 - link->sender.base;
	run_plan_extend(runs, link);
	run_changed(runs, link, link->sender.base);
}

void run_output_sent(struct run_net *runs, struct run_link *link)
{
	struct run_link *input = link->sender.input;

	run_input_left(runs, input, link);
	link->sender.worm = NET_NO_WORM;
	link->sender.input = NULL;
	link->sender.held_ticks = -1;
	link->output.assigned = false;
	want_arbitration(runs, link);
}
