// SPDX-License-Identifier: GPL-3.0-or-later
// The run engine's own memory, laid out beside the shared network's.
#ifndef NET_MYRINET_RUNS_OPEN_H
#define NET_MYRINET_RUNS_OPEN_H

#include "net/myrinet/runs/state.h"

// Builds links and sinks, all idle, for the network that is open; the clock starts at start_ticks.
// TR_ERROR where memory is short. Close it in any case.
enum tr_status run_open(struct run_net *runs, int64_t start_ticks);
void run_close(struct run_net *runs);

#endif
