// SPDX-License-Identifier: GPL-3.0-or-later
// The reference medium: every symbol moves individually, from the output of a node over the link,
// through the stripper and the bypass buffer of the next node.
#include "net/studies/sci/sci_run.h"

// The bypass buffer is empty when a node begins a packet of its own, and fills while it sends that,
// and one idle symbol. Then it sends as fast as it receives. So it never holds more than the
// longest packet, the idle symbol and one under way.
#define BYPASS_SYMBOLS 64u

struct symbol {
	uint32_t packet;
	uint16_t number;
};

struct node_output {
	struct symbol bypass[BYPASS_SYMBOLS]; // a ring
	uint32_t first;
	uint32_t count;
	uint32_t packet; // that it sends; SCI_NONE
	uint16_t number; // of its next symbol
	bool passes;	 // from the bypass buffer
	bool idle;	 // an idle symbol is next
	bool loses;	 // the symbols that come in are of a packet that was lost
};

static void sci_symbols_layout(struct sci_run *run)
{
	struct node_output *all = sim_arena_take(&run->net.arena, run->rings.outputs, sizeof(*all));

	run->medium_state = all;
	for (uint32_t i = 0; all && i < run->rings.outputs; i++)
		all[i].packet = SCI_NONE;
}

static void sci_symbols_pass(struct sci_run *run, uint32_t output, uint32_t packet, uint32_t symbol)
{
	sci_event(run, run->net.now_ticks + run->times.forwarding, SCI_PASSED, output, packet,
		  symbol);
}

// The stripper takes a packet off the ring, and makes its last symbols the echo.
static void sci_symbols_strip(struct sci_run *run, const struct sci_event *event)
{
	struct sci_packet *packet = &run->packets[event->packet];
	uint16_t echoed;

	if (packet->kind != SCI_ECHO) {
		if (event->symbol == 0) {
			sci_leave_ring(run, packet);
			packet->echo = sci_echo_new(run, packet);
		}
		echoed = packet->echo != SCI_NONE ? run->packets[packet->echo].symbols : 0;
		if (event->symbol >= packet->symbols - echoed)
			sci_symbols_pass(run, event->place, packet->echo,
					 event->symbol - (uint32_t)(packet->symbols - echoed));
	}
	if (event->symbol + 1u == packet->symbols)
		sci_packet_free(run, event->packet);
}

static void sci_symbols_in(struct sci_run *run, const struct sci_event *event)
{
	struct node_output *node = (struct node_output *)run->medium_state + event->place;
	struct sci_packet *packet = &run->packets[event->packet];

	if (event->symbol == 0)
		node->loses = sci_is_lost(run, event->place, packet);
	if (node->loses && event->symbol + 1u == packet->symbols)
		sci_packet_free(run, event->packet);
	if (node->loses)
		return;
	if (packet->target == run->rings.lines[event->place].node)
		sci_symbols_strip(run, event);
	else
		sci_symbols_pass(run, event->place, event->packet, event->symbol);
}

static void sci_symbols_passed(struct sci_run *run, const struct sci_event *event)
{
	struct node_output *node = (struct node_output *)run->medium_state + event->place;

	if (node->count == BYPASS_SYMBOLS) {
		net_drive_fail(&run->net, "a bypass buffer of sci is full");
		return;
	}
	node->bypass[(node->first + node->count++) % BYPASS_SYMBOLS] = (struct symbol){
		event->packet, event->symbol};
	sci_touch(run, event->place);
}

// What the output sends next, after the idle symbol behind a packet.
static bool sci_symbols_choose(struct sci_run *run, struct node_output *node, uint32_t output)
{
	node->passes = !sci_go_own(run, output, node->count > 0);
	if (node->passes && node->count == 0)
		return false;
	node->packet = node->passes ? node->bypass[node->first].packet
				    : sci_first(run, &run->outputs[output].transmit);
	node->number = 0;
	sci_count_start(run, output, &run->packets[node->packet]);
	return true;
}

static void send_symbol(struct sci_run *run, struct node_output *node, uint32_t output)
{
	static const char *const kinds[] = {
		[SCI_REQUEST] = "request", [SCI_RESPONSE] = "response", [SCI_ECHO] = "echo"};
	const uint32_t packet = node->packet;

	if (node->passes) {
		const struct symbol *next = &node->bypass[node->first % BYPASS_SYMBOLS];

		if (node->count == 0 || next->packet != packet || next->number != node->number) {
			net_drive_fail(&run->net, "a packet of sci has lost its symbols");
			return;
		}
		node->first = (node->first + 1) % BYPASS_SYMBOLS;
		node->count--;
	}
	sci_watch(run, output, kinds[run->packets[packet].kind], &run->packets[packet],
		  node->number);
	sci_event(run, run->net.now_ticks + run->times.propagation, SCI_IN,
		  sci_next_output(run, output), packet, node->number);
	if (++node->number == run->packets[packet].symbols) {
		node->packet = SCI_NONE;
		node->idle = true;
	}
}

static void sci_symbols_start(struct sci_run *run, uint32_t number)
{
	struct node_output *node = (struct node_output *)run->medium_state + number;
	struct sci_output *output = &run->outputs[number];

	if (node->packet == SCI_NONE && node->idle) {
		node->idle = false;
		sci_go_behind(run, number, node->count > 0);
	} else if (node->packet != SCI_NONE || sci_symbols_choose(run, node, number)) {
		send_symbol(run, node, number);
	} else {
		return;
	}
	output->free_ticks = run->net.now_ticks + run->times.symbol;
	sci_touch(run, number);
}

const struct sci_medium sci_by_symbols = {.events = sci_symbols_under_way,
					  .layout = sci_symbols_layout,
					  .in = sci_symbols_in,
					  .passed = sci_symbols_passed,
					  .start = sci_symbols_start};
