// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/output.h"

#include "net/myrinet/runs/buffer.h"
#include "net/myrinet/runs/change.h"
#include "net/myrinet/runs/choice.h"
#include "net/myrinet/runs/input.h"
#include "net/myrinet/runs/meter.h"
#include "net/myrinet/runs/plan.h"
#include "net/myrinet/timeout.h"

// The output chooses when the tick is over.
static void want_arbitration(struct run_net *runs, struct run_link *link)
{
	struct run_output *output = &link->output;

	if (output->assigned || output->arbitrating || output->waiting == 0)
		return;
	output->arbitrating = true;
	runs->asked[runs->asked_count++] = link;
}

void run_output_ask(struct run_net *runs, struct run_link *link, const struct run_link *input)
{
	run_choice_add(&link->output, &input->input);
	if (runs->frees_late && link->output.assigned && run_worm_out(runs, link))
		run_output_sent(runs, link);
	else if (runs->frees_late && link->output.assigned)
		run_changed_sent(runs, link);
	else
		want_arbitration(runs, link);
}

void run_output_arbitrate(struct run_net *runs, struct run_link *link)
{
	struct run_output *output = &link->output;
	const struct run_segment *segment;
	struct run_link *input;

	output->arbitrating = false;
	if (output->waiting == 0) // what asked was removed
		return;
	input = run_choice_take(runs, link);
	segment = run_segment_at(input, 0);
	run_meter_blocked_port(runs, input, input->input.asked_ticks);
	output->assigned = true;
	input->input.state = RUN_INPUT_FLOWS;
	run_plan_begin(runs, link,
		       (struct run_segment){.worm = segment->worm, .length = segment->length - 1,
					    .hop = (uint16_t)(segment->hop + 1),
					    .left = (uint16_t)(segment->left - 1)},
		       runs->net.events.now_ticks + runs->net.times.assignment_ticks);
	link->sender.input = input;
	link->sender.offset = segment->base + 1 - link->sender.base;
	run_plan_extend(runs, link);
	run_changed(runs, link, link->sender.base, RUN_MORE);
	if (runs->net.times.timeout_ticks > 0)
		myr_timeout_watch(&runs->net, runs->net.parts.link_of[link->number],
				  MYR_TIMEOUT_SILENT);
}

static void forget_worm(struct run_link *link)
{
	link->sender.worm = NET_NO_WORM;
	link->sender.input = NULL;
	link->sender.held_ticks = -1;
}

void run_output_free(struct run_net *runs, struct run_link *link)
{
	forget_worm(link);
	link->output.assigned = false;
	want_arbitration(runs, link);
}

void run_output_free_later(struct run_net *runs, struct run_link *link)
{
	myr_push(&runs->net, link->sender.ready_ticks, MYR_GRANT, link->number, 0);
	forget_worm(link);
}

void run_output_sent(struct run_net *runs, struct run_link *link)
{
	struct run_link *input = link->sender.input;

	if (link->sent.count > 8)
		run_buffer_forget(runs, link);
	run_input_left(runs, input, link);
	run_output_free(runs, link);
}
