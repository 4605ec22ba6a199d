// SPDX-License-Identifier: GPL-3.0-or-later
// STOP and GO: when a buffer wants one, how it gets onto the reverse link, what it does there and at
// the other end.
#ifndef NET_MYRINET_RUNS_CONTROL_H
#define NET_MYRINET_RUNS_CONTROL_H

#include "net/myrinet/runs/state.h"

// Handler of RUN_CROSS for the link's buffer.
void run_control_crossed(struct run_net *runs, struct run_link *link);

// Characters have left the link's buffer in this event, taken being the number of the first that has
// not: a GO becomes due where that was the one that did it.
void run_control_fallen(struct run_net *runs, struct run_link *link, uint32_t taken);

// Has a RESET go out on the link.
void run_control_reset(struct run_net *runs, struct run_link *link);

// Has a BEAT go out on it.
void run_control_beat(struct run_net *runs, struct run_link *link);

// Handler of MYR_CONTROL: puts what is due on the link.
void run_control_put(struct run_net *runs, struct run_link *link);

// Handler of RUN_TOLD_*, that came by the link: the reverse one is stopped, or not.
void run_control_told(struct run_net *runs, struct run_link *link, bool stop);

#endif
