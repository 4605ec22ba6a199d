// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs of crossbars: each passes on one flit in a cycle, of the packets that links have chosen in
// a round and that came by it. A place at a source is one of its own. divided is known where these
// are compiled: packets stand in queues by output.
#ifndef NET_LANES_INPUTS_H
#define NET_LANES_INPUTS_H

#include "net/lanes/lanes_run.h"

// The input of the packets of a slot; LANES_NONE where it is its own.
static inline uint32_t lanes_input_of_slot(const struct lanes_run *run, uint32_t slot, bool divided)
{
	if ((divided && run->queuing.organisation->memory) || lanes_is_source(run, slot))
		return LANES_NONE;
	return lanes_input_of(run, divided ? lanes_buffer_of(run, slot) : slot);
}

// The link that the front packet of a slot holds a lane of, or, in a queue, is nominated for.
static inline uint32_t lanes_wanted_link(const struct lanes_run *run, uint32_t slot, bool divided)
{
	return divided && run->slots[slot].asks ? run->asks[slot].link
						: lanes_link_of(run, run->slots[slot].out);
}

// Whether the input of a slot has passed on nothing in this cycle.
static inline bool lanes_input_is_open(const struct lanes_run *run, uint32_t slot, bool divided)
{
	const uint32_t input = lanes_input_of_slot(run, slot, divided);

	return input == LANES_NONE || run->queuing.inputs[input].taken != run->clock.cycle;
}

// Whether an input takes slot a rather than slot b.
static inline bool lanes_input_prefers(const struct lanes_run *run, const struct lanes_input *input,
				       uint32_t a, uint32_t b, bool divided)
{
	const enum lanes_order order = run->params->link_order;
	const uint32_t ports = run->nodes[run->slots[a].node].ports;
	const uint32_t behind = ports - input->accepted - 1;

	if (!lanes_orders[order].turns)
		return lanes_rank(run, order, a) < lanes_rank(run, order, b);
	return (run->links[lanes_wanted_link(run, a, divided)].out_port + behind) % ports <
	       (run->links[lanes_wanted_link(run, b, divided)].out_port + behind) % ports;
}

// The input hears that the front packet of a slot was chosen, and prefers one.
static inline void lanes_input_offer(struct lanes_run *run, uint32_t slot, bool divided)
{
	const uint32_t number = lanes_input_of_slot(run, slot, divided);
	struct lanes_input *input;

	if (number == LANES_NONE)
		return;
	input = &run->queuing.inputs[number];
	if (input->winner == LANES_NONE ||
	    lanes_input_prefers(run, input, slot, input->winner, divided))
		input->winner = slot;
}

// Whether it has accepted that of a slot; notes that. counts: for whom it prefers next.
static inline bool lanes_input_accept(struct lanes_run *run, uint32_t slot, bool counts,
				      bool divided)
{
	const uint32_t number = lanes_input_of_slot(run, slot, divided);
	struct lanes_input *input;

	if (number == LANES_NONE)
		return true;
	input = &run->queuing.inputs[number];
	if (input->winner != slot)
		return false;
	input->winner = LANES_NONE;
	input->taken = run->clock.cycle;
	if (counts)
		input->accepted = run->links[lanes_wanted_link(run, slot, divided)].out_port;
	return true;
}

#endif
