// SPDX-License-Identifier: GPL-3.0-or-later
// The far end of a link at a host: characters leave the buffer one a character time, the first one
// behind the route when there is adapter memory for the worm.
#ifndef NET_MYRINET_RUNS_SINK_H
#define NET_MYRINET_RUNS_SINK_H

#include "net/myrinet/runs/state.h"

// The starts of the link's characters from number index on have changed.
void run_sink_changed(struct run_net *runs, struct run_link *link, uint32_t index);

// Handlers of RUN_FINAL and RUN_TAIL.
void run_sink_final(struct run_net *runs, struct run_link *link);
void run_sink_tail(struct run_net *runs, struct run_link *link);

// A worm was taken out of the buffer, or nothing was: what is there goes on.
void run_sink_go_on(struct run_net *runs, struct run_link *link);

// The worm that waits for memory has it now.
void run_sink_resume(struct run_net *runs, struct run_link *link);

#endif
