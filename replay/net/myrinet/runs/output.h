// SPDX-License-Identifier: GPL-3.0-or-later
// The near end of a link at a switch: serves one worm at a time, chosen as in net/myrinet/crossbar.h.
#ifndef NET_MYRINET_RUNS_OUTPUT_H
#define NET_MYRINET_RUNS_OUTPUT_H

#include "net/myrinet/runs/state.h"

// The input's link asks for the output.
void run_output_ask(struct run_net *runs, struct run_link *link, const struct run_link *input);

// The tick is over: chooses, and plans the worm from its grant on.
void run_output_arbitrate(struct run_net *runs, struct run_link *link);

// The last character of the worm goes out now.
void run_output_sent(struct run_net *runs, struct run_link *link);

// The output has no worm any more: now, or when the one that it chose was to be granted.
void run_output_free(struct run_net *runs, struct run_link *link);
void run_output_free_later(struct run_net *runs, struct run_link *link);

#endif
