// SPDX-License-Identifier: GPL-3.0-or-later
// Go bits: every idle symbol says go or stop, and a node begins a packet of its own only right
// behind one that says go (man/flit-fabric.5 has the rules and what they are taken from).
//
// The idle symbols behind a packet say stop until one says go, and go from then on until the next
// packet. So two events say all about them: one for the first idle symbol behind each packet, and
// one where a later one is the first to say go.
#include "net/studies/sci/sci_run.h"

// Idle symbols begin, or change to go.
static void sci_go_say(struct sci_run *run, uint32_t number, bool go)
{
	struct sci_go *state = &run->outputs[number].go;

	sci_event(run, run->net.now_ticks + run->times.propagation + run->times.forwarding,
		  SCI_IDLE, sci_next_output(run, number), SCI_NONE, go);
	sci_watch(run, number, go ? "go" : "stop", NULL, 0);
	if (!go)
		return;
	state->out = true;
	state->saved = false;
	state->from_ticks = run->net.now_ticks + run->times.symbol;
}

void sci_go_come(struct sci_run *run, const struct sci_event *event)
{
	struct sci_go *go = &run->outputs[event->place].go;

	go->in = event->symbol;
	if (!go->in || go->out)
		return;
	go->saved = true;
	sci_touch(run, event->place);
}

void sci_go_wake(struct sci_run *run, uint32_t number)
{
	run->outputs[number].go.wakes = false;
	sci_touch(run, number);
}

void sci_go_behind(struct sci_run *run, uint32_t number, bool waiting)
{
	struct sci_go *go = &run->outputs[number].go;

	if (!run->params->go_bits)
		return;
	go->recovers = go->recovers && waiting;
	sci_go_say(run, number, !go->recovers && go->saved);
}

// Whether the last idle symbol said go; while it is on its way, the output is to look again behind
// it.
static bool may_begin(struct sci_run *run, uint32_t number, bool waiting)
{
	struct sci_go *go = &run->outputs[number].go;

	if (!go->out || run->net.now_ticks >= go->from_ticks)
		return go->out;
	if (!waiting && !go->wakes)
		sci_event(run, go->from_ticks, SCI_WAKE, number, SCI_NONE, 0);
	go->wakes = go->wakes || !waiting;
	return false;
}

bool sci_go_own(struct sci_run *run, uint32_t number, bool waiting)
{
	struct sci_output *output = &run->outputs[number];
	struct sci_go *go = &output->go;
	bool own;

	if (!run->params->go_bits)
		return output->transmit.count > 0 && !waiting;
	if (go->saved && !waiting)
		sci_go_say(run, number, true);
	own = output->transmit.count > 0 && may_begin(run, number, waiting);
	if (own) {
		go->saved = go->in;
		go->recovers = true;
	}
	go->out = go->out && !own && !waiting;
	return own;
}
