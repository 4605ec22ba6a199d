// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/input.h"

#include "net/myrinet/runs/buffer.h"
#include "net/myrinet/runs/control.h"
#include "net/myrinet/runs/output.h"
#include "net/myrinet/timeout.h"

// The worm whose route character leaves next; NULL where none is under way.
static const struct run_segment *next_worm(const struct run_link *link)
{
	uint32_t place = link->input.state == RUN_INPUT_IDLE ? 0 : 1;

	return place < link->segments.count ? run_segment_at(link, place) : NULL;
}

// When the present worm has left the buffer; -1 where that is not known.
static int64_t left_ticks(const struct run_input *input)
{
	if (input->state == RUN_INPUT_IDLE)
		return input->idle_ticks;
	return input->state == RUN_INPUT_FLOWS ? input->output->sender.held_ticks : -1;
}

void run_input_expect(struct run_net *runs, struct run_link *link)
{
	const struct run_segment *next = next_worm(link);
	int64_t left = left_ticks(&link->input);
	int64_t arrives;

	if (next == NULL || left == -1 ||
	    run_ahead(link->sent.end, next->base + runs->lead) <= 0) {
		run_timer_clear(&link->input.head);
		return;
	}
	arrives = run_start(&link->sent, next->base + runs->lead) + link->delay_ticks;
	if (arrives > left)
		run_set(runs, &link->input.head, arrives, SIM_KEY(MYR_ARRIVE, link->number),
			RUN_HEAD, link);
	else
		run_set(runs, &link->input.head, left,
			SIM_KEY(MYR_SEND, link->input.output->number), RUN_HEAD, link);
}

// A worm that comes into an empty buffer has not more than its head in it.
static void settle_before_head(struct run_net *runs, struct run_link *link)
{
	if (link->input.state == RUN_INPUT_IDLE && SIM_KEY_PHASE(runs->key) == MYR_ARRIVE &&
	    runs->meters == NULL && runs->net.totals.slack_peak > runs->lead)
		link->slack.settled_ticks = runs->net.events.now_ticks;
	else
		run_buffer_settle_now(runs, link);
}

void run_input_head(struct run_net *runs, struct run_link *link)
{
	struct run_input *input = &link->input;
	const struct run_segment *segment;
	uint16_t port;

	settle_before_head(runs, link);
	if (input->state != RUN_INPUT_IDLE)
		run_segment_drop(link);
	segment = run_segment_at(link, 0);
	if (segment->left == 0) {
		myr_fail(&runs->net, "a route ends at the switch after link %u", link->number);
		return;
	}
	port = runs->net.pool.ports[(size_t)segment->worm * runs->net.pool.longest +
				    segment->hop];
	if (port >= input->crossbar->ports || input->crossbar->out[port] == NULL) {
		myr_fail(&runs->net,
			 "a route asks for port %u, where the switch after link %u has none", port,
			 link->number);
		return;
	}
	input->state = RUN_INPUT_WAITS;
	link->gone = run_behind_route(runs, segment);
	input->output = runs->link_of[input->crossbar->out[port]->number];
	input->asked_ticks = runs->net.events.now_ticks;
	run_control_fallen(runs, link, run_behind_route(runs, segment));
	run_mark(runs, link);
	run_output_ask(runs, input->output, link);
	if (runs->net.times.timeout_ticks == 0)
		return;
	myr_life(&runs->net, segment->worm)->hops++;
	myr_timeout_watch(&runs->net, runs->net.parts.link_of[link->number], MYR_TIMEOUT_BLOCKED);
}

void run_input_left(struct run_net *runs, struct run_link *link, const struct run_link *output)
{
	struct run_input *input = &link->input;

	if (input->state != RUN_INPUT_FLOWS || input->output != output)
		return;
	run_buffer_settle_now(runs, link);
	if (run_last(&output->sent) == runs->net.events.now_ticks)
		run_control_fallen(runs, link, output->sender.base + output->sender.length +
						       output->sender.offset);
	run_segment_drop(link);
	input->state = RUN_INPUT_IDLE;
	input->idle_ticks = output->sender.held_ticks;
	run_mark(runs, link);
}
