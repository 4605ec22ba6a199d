// SPDX-License-Identifier: GPL-3.0-or-later
// The fast medium: a packet on a link is one run of symbols, and nothing but its head needs an
// event. A node sends either what goes through it or what it has of its own, whole packets of both,
// so between a packet's first and last symbol nothing is decided: what waits in the bypass buffer
// can be counted in packets.
#include "net/studies/sci/sci_run.h"

static uint32_t no_events(const struct sci_run *run)
{
	(void)run;
	return 0;
}

static void sci_packets_pass(struct sci_run *run, int64_t ticks, uint32_t output, uint32_t packet)
{
	sci_event(run, ticks + run->times.forwarding, SCI_PASSED, output, packet, 0);
}

// The echo takes the place of the packet's last symbols.
static void sci_packets_strip(struct sci_run *run, uint32_t output, uint32_t number)
{
	const struct sci_packet *packet = &run->packets[number];

	if (packet->kind != SCI_ECHO) {
		const uint32_t echo = sci_echo_new(run, packet);

		sci_leave_ring(run, packet);
		if (echo != SCI_NONE)
			sci_packets_pass(run,
					 run->net.now_ticks +
						 (packet->symbols - run->packets[echo].symbols) *
							 run->times.symbol,
					 output, echo);
	}
	sci_packet_free(run, number);
}

static void sci_packets_in(struct sci_run *run, const struct sci_event *event)
{
	if (sci_is_lost(run, event->place, &run->packets[event->packet]))
		sci_packet_free(run, event->packet);
	else if (run->packets[event->packet].target == run->rings.lines[event->place].node)
		sci_packets_strip(run, event->place, event->packet);
	else
		sci_packets_pass(run, run->net.now_ticks, event->place, event->packet);
}

static void sci_packets_passed(struct sci_run *run, const struct sci_event *event)
{
	sci_append(run, &run->outputs[event->place].bypass, event->packet);
	sci_touch(run, event->place);
}

static void start_idle(struct sci_run *run, uint32_t number)
{
	struct sci_output *output = &run->outputs[number];

	output->idles = false;
	output->free_ticks = run->net.now_ticks + run->times.symbol;
	sci_go_behind(run, number, output->bypass.count > 0);
	sci_touch(run, number);
}

static void sci_packets_start(struct sci_run *run, uint32_t number)
{
	struct sci_output *output = &run->outputs[number];
	struct sci_queue *queue;
	uint32_t packet;

	if (output->idles) {
		start_idle(run, number);
		return;
	}
	queue = sci_go_own(run, number, output->bypass.count > 0) ? &output->transmit
								  : &output->bypass;
	if (queue->count == 0)
		return;
	packet = sci_first(run, queue);
	sci_count_start(run, number, &run->packets[packet]);
	sci_event(run, run->net.now_ticks + run->times.propagation, SCI_IN,
		  sci_next_output(run, number), packet, 0);
	// One idle symbol follows; nothing is to be done at its start if it has no go bit.
	output->idles = run->params->go_bits;
	output->free_ticks = run->net.now_ticks +
			     (run->packets[packet].symbols + !output->idles) * run->times.symbol;
	if (output->idles || output->bypass.count + output->transmit.count > 0)
		sci_touch(run, number);
}

const struct sci_medium sci_by_packets = {.events = no_events,
					  .in = sci_packets_in,
					  .passed = sci_packets_passed,
					  .start = sci_packets_start};
