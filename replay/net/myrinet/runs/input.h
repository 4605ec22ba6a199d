// SPDX-License-Identifier: GPL-3.0-or-later
// The far end of a link at a switch: takes what announces a worm and its route character out of the
// buffer as soon as the worm before it has left, and asks for an output.
#ifndef NET_MYRINET_RUNS_INPUT_H
#define NET_MYRINET_RUNS_INPUT_H

#include "net/myrinet/runs/state.h"

// Sets the timer of the next worm's route character to when it leaves the buffer, as far as known.
void run_input_expect(struct run_net *runs, struct run_link *link);

// Handler of RUN_HEAD.
void run_input_head(struct run_net *runs, struct run_link *link);

// The output has sent the link's worm: the link is between worms, unless the next has asked already.
void run_input_left(struct run_net *runs, struct run_link *link, const struct run_link *output);

#endif
