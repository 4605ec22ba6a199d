// SPDX-License-Identifier: GPL-3.0-or-later
// BEAT characters in the run engine: an event for each that falls due. Every one comes in time, so
// that no cable is taken for lost.
#ifndef NET_MYRINET_RUNS_BEAT_H
#define NET_MYRINET_RUNS_BEAT_H

#include "net/myrinet/runs/state.h"

// Why BEATs of these parameters are beyond the engine; NULL where they are not. Static.
const char *run_beat_refusal(const struct myr_params *params, const struct net_topology *topology);

// Whether nothing but BEATs would happen any more, at ticks or later.
bool run_beat_over(const struct run_net *runs, int64_t ticks);

// Handler of MYR_BEAT_DUE.
void run_beat(struct run_net *runs, uint32_t number);

#endif
