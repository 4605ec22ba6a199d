// SPDX-License-Identifier: GPL-3.0-or-later
// The inputs of a switch in the order of service, and which of them ask for an output: a bit each
// where there are few, the inputs themselves are looked at where there are many.
#ifndef NET_MYRINET_RUNS_CHOICE_H
#define NET_MYRINET_RUNS_CHOICE_H

#include "net/myrinet/runs/state.h"

// The request to serve next, which must exist: the first in the order from behind the last winner,
// or the oldest. It is none any more.
struct run_link *run_choice_take(const struct run_net *runs, struct run_link *out);

// The input asks for the output.
static inline void run_choice_add(struct run_output *output, const struct run_input *input)
{
	output->waiting++;
	output->asking |= UINT64_C(1) << (input->place % 64);
}

// It does so no more.
static inline void run_choice_drop(struct run_output *output, const struct run_input *input)
{
	output->waiting--;
	output->asking &= ~(UINT64_C(1) << (input->place % 64));
}

#endif
