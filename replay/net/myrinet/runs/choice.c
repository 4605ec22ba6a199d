// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/choice.h"

// Of at most 64 inputs, the first that asks in the order from place from on; 64 where none does
// before the order ends.
static uint32_t next_asking(uint64_t asking, uint32_t from)
{
	uint64_t rest = from < 64 ? asking >> from : 0;

	return rest != 0 ? from + (uint32_t)__builtin_ctzll(rest) : 64;
}

static uint32_t first_of_few(const struct run_output *output)
{
	uint32_t place = next_asking(output->asking, output->pointer);

	return place < 64 ? place : next_asking(output->asking, 0);
}

static bool asks(const struct run_link *link, const struct run_link *out)
{
	return link != NULL && link->input.state == RUN_INPUT_WAITS && link->input.output == out;
}

// The first that asks, or of those the oldest; equal ones in the order.
static uint32_t first_of_many(struct run_link *const *inputs, uint32_t ports,
			      const struct run_link *out, bool oldest)
{
	uint32_t chosen = UINT32_MAX;

	for (uint32_t i = 0; i < ports; i++) {
		uint32_t place = (out->output.pointer + i) % ports;

		if (!asks(inputs[place], out) ||
		    (chosen != UINT32_MAX &&
		     inputs[place]->input.asked_ticks >= inputs[chosen]->input.asked_ticks))
			continue;
		chosen = place;
		if (!oldest)
			break;
	}
	return chosen;
}

struct run_link *run_choice_take(const struct run_net *runs, struct run_link *out)
{
	struct run_output *output = &out->output;
	bool oldest = runs->net.params->crossbar.first_come;
	uint32_t place;

	if (oldest || output->ports > 64)
		place = first_of_many(output->inputs, output->ports, out, oldest);
	else
		place = first_of_few(output);
	output->pointer = place + 1 < output->ports ? place + 1 : 0;
	output->waiting--;
	output->asking &= ~(UINT64_C(1) << (place % 64));
	return output->inputs[place];
}
