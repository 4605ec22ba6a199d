// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/crossbar.h"

#include <stddef.h>

#include "net/myrinet/format.h"
#include "net/myrinet/link.h"
#include "net/myrinet/meter.h"
#include "net/myrinet/noise.h"
#include "net/myrinet/removal.h"
#include "net/myrinet/timeout.h"

static void want_arbitration(struct myr_network *net, struct myr_link *out)
{
	if (out->output.state != MYR_OUTPUT_FREE || out->output.arbitrating ||
	    out->output.waiting == 0)
		return;
	out->output.arbitrating = true;
	myr_push(net, net->events.now_ticks, MYR_ARBITRATE, out->number, 0);
}

// The port that a route character asks for as it has come; UINT32_MAX where it is none any more.
static uint32_t read_port(struct myr_network *net, struct myr_character character)
{
	struct myr_life *life = myr_life(net, character.worm);
	const struct net_worm *worm = myr_worm(net, character.worm);

	life->hops++;
	if (character.flip == 0)
		return character.port;
	life->astray = true;
	myr_noise_stripped(net, character,
			   worm->route_count - life->hops +
				   (net->params->format.no_final ? 0 : 1) +
				   myr_format_body(&net->params->format, worm->size_bytes) -
				   (net->params->format.crc ? 1 : 0));
	return (character.flip & 0xc0) != 0 ? UINT32_MAX : character.port ^ character.flip;
}

static void ask(struct myr_network *net, struct myr_link *link, uint32_t port)
{
	struct myr_input *input = &link->input;
	struct myr_link *out = port < input->crossbar->ports ? input->crossbar->out[port] : NULL;

	if (out == NULL) {
		myr_removal_misrouted(net, input->worm,
				      "a route asks for port %u, where the switch after link %u "
				      "has none", port, link->number);
		return;
	}
	if (out->lost) {
		myr_removal(net, input->worm, TR_DROP_DEAD);
		return;
	}
	input->state = MYR_INPUT_WAITS;
	input->output = &out->output;
	input->asked_ticks = net->events.now_ticks;
	myr_meter_open(&link->meter.port_since, net->events.now_ticks);
	out->output.waiting++;
	want_arbitration(net, out);
	myr_timeout_watch(net, link, MYR_TIMEOUT_BLOCKED);
}

// What an input between worms expects next.
static enum myr_kind expected(const struct myr_network *net, const struct myr_input *input)
{
	return input->state == MYR_INPUT_IDLE && !net->params->format.gap_after ? MYR_GAP
										: MYR_ROUTE;
}

// Takes what announces a worm and its route character as soon as they are at the head of the buffer.
void myr_input_advance(struct myr_network *net, struct myr_link *link)
{
	struct myr_input *input = &link->input;

	while (link->slack.count > 0 && input->state <= MYR_INPUT_HEAD && net->status == TR_OK) {
		struct myr_character character = myr_slack_head(link);
		enum myr_kind want = expected(net, input);

		input->worm = character.worm;
		input->state = MYR_INPUT_HEAD;
		if (character.kind != want) {
			myr_removal_misrouted(net, character.worm,
					      "a route ends at the switch after link %u",
					      link->number);
			continue;
		}
		myr_slack_take(net, link);
		if (want == MYR_ROUTE)
			ask(net, link, read_port(net, character));
	}
}

// The link that the output of an input's worm feeds.
static struct myr_link *flows_to(struct myr_link *link)
{
	return (struct myr_link *)(void *)((char *)link->input.output -
					   offsetof(struct myr_link, output));
}

void myr_input_arrived(struct myr_network *net, struct myr_link *link)
{
	if (link->input.state == MYR_INPUT_FLOWS)
		myr_output_wake(net, flows_to(link));
	else
		myr_input_advance(net, link);
}

// Place in the order of the request to serve next.
static uint32_t choose(const struct myr_network *net, const struct myr_output *output)
{
	const struct myr_switch *crossbar = output->crossbar;
	uint32_t chosen = UINT32_MAX;
	int64_t oldest = INT64_MAX;

	for (uint32_t i = 0; i < crossbar->ports; i++) {
		uint32_t place = (output->pointer + i) % crossbar->ports;
		const struct myr_link *link = crossbar->in[crossbar->order[place]];

		if (link == NULL || link->input.state != MYR_INPUT_WAITS ||
		    link->input.output != output || link->input.asked_ticks >= oldest)
			continue;
		chosen = place;
		oldest = link->input.asked_ticks;
		if (!net->params->crossbar.first_come)
			break;
	}
	return chosen;
}

void myr_output_arbitrate(struct myr_network *net, struct myr_link *link)
{
	struct myr_output *output = &link->output;
	uint32_t place;

	output->arbitrating = false;
	if (output->state != MYR_OUTPUT_FREE || output->waiting == 0)
		return;
	place = choose(net, output);
	output->pointer = (place + 1) % output->crossbar->ports;
	output->input = output->crossbar->in[output->crossbar->order[place]];
	output->worm = output->input->input.worm;
	output->waiting--;
	output->state = MYR_OUTPUT_ASSIGNS;
	myr_meter_shut(&output->input->meter.port_since, &output->input->meter.blocked_port_ticks,
		       net->events.now_ticks);
	myr_push(net, net->events.now_ticks + net->times.assignment_ticks, MYR_GRANT, link->number,
		 0);
}

static void release(struct myr_network *net, struct myr_link *link)
{
	link->output.state = MYR_OUTPUT_FREE;
	link->output.trailer_held = false;
	link->output.gap_due = false;
	link->output.input = NULL;
	link->output.worm = NET_NO_WORM;
	want_arbitration(net, link);
}

void myr_output_grant(struct myr_network *net, struct myr_link *link)
{
	if (link->output.worm == NET_NO_WORM) { // removed since it was chosen
		release(net, link);
		return;
	}
	link->quiet_ticks = net->events.now_ticks;
	myr_timeout_watch(net, link, MYR_TIMEOUT_SILENT);
	link->output.state = MYR_OUTPUT_FLOWS;
	link->output.begun = false;
	link->output.gap_due = !net->params->format.gap_after;
	link->output.input->input.state = MYR_INPUT_FLOWS;
	myr_output_wake(net, link);
}

void myr_output_wake(struct myr_network *net, struct myr_link *link)
{
	const struct myr_output *output = &link->output;

	if (output->state != MYR_OUTPUT_FLOWS)
		return;
	if (output->gap_due)
		myr_link_send_at(net, link, net->events.now_ticks);
	else if (output->trailer_held)
		myr_link_send_at(net, link, output->trailer_ticks);
	else if (output->input->slack.count > 0)
		myr_link_send_at(net, link,
				 myr_slack_head_ticks(output->input) + net->times.path_ticks);
}

// What ends the worm goes into the output's conversion; its input may begin with the next worm.
static void hold_trailer(struct myr_network *net, struct myr_link *link)
{
	struct myr_link *from = link->output.input;

	link->output.trailer_held = true;
	link->output.trailer_ticks = net->events.now_ticks + link->conversion_ticks;
	myr_slack_take(net, from);
	from->input.state = MYR_INPUT_IDLE;
	from->input.output = NULL;
	myr_input_advance(net, from);
}

static void send_from_buffer(struct myr_network *net, struct myr_link *link)
{
	struct myr_link *from = link->output.input;
	struct myr_character character;

	if (from->slack.count == 0 ||
	    myr_slack_head_ticks(from) + net->times.path_ticks > net->events.now_ticks)
		return;
	character = myr_slack_head(from);
	if (character.kind == myr_format_tail(&net->params->format)) {
		hold_trailer(net, link);
		return;
	}
	link->output.begun = true;
	myr_link_put(net, link, character);
	myr_slack_take(net, from);
}

static struct myr_character of_worm(enum myr_kind kind, uint32_t worm)
{
	return (struct myr_character){.worm = worm, .kind = (uint8_t)kind};
}

void myr_output_send(struct myr_network *net, struct myr_link *link)
{
	struct myr_output *output = &link->output;
	uint32_t worm;

	if (output->state != MYR_OUTPUT_FLOWS)
		return;
	if (output->gap_due) {
		output->gap_due = false;
		output->begun = true;
		myr_link_put(net, link, of_worm(MYR_GAP, output->worm));
	} else if (!output->trailer_held) {
		send_from_buffer(net, link);
	} else if (output->trailer_ticks <= net->events.now_ticks) {
		myr_link_put(net, link,
			     of_worm(myr_format_tail(&net->params->format), output->worm));
		worm = output->worm;
		release(net, link);
		if (link->dead > 0)
			myr_removal(net, worm, TR_DROP_DEAD);
	}
	myr_output_wake(net, link);
}

void myr_input_forget(struct myr_network *net, struct myr_link *link, uint32_t worm)
{
	struct myr_input *input = &link->input;
	struct myr_output *output = input->output;

	if (input->state == MYR_INPUT_IDLE || input->worm != worm)
		return;
	if (input->state == MYR_INPUT_WAITS) {
		myr_meter_shut(&link->meter.port_since, &link->meter.blocked_port_ticks,
			       net->events.now_ticks);
		if (myr_input_chosen(link))
			output->worm = NET_NO_WORM;
		else
			output->waiting--;
	}
	input->state = MYR_INPUT_IDLE;
	input->output = NULL;
	input->worm = NET_NO_WORM;
}

void myr_output_forget(struct myr_network *net, struct myr_link *link, uint32_t worm)
{
	if (link->output.state != MYR_OUTPUT_FLOWS || link->output.worm != worm)
		return;
	myr_meter_shut(&link->meter.stop_since, &link->meter.blocked_stop_ticks,
		       net->events.now_ticks);
	release(net, link);
}
