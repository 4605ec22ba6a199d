// SPDX-License-Identifier: GPL-3.0-or-later
// The run engine of the Myrinet model: the reference engine's results, at a cost that grows with
// what changes and not with what is carried. Characters that follow one another at an equal spacing
// are one run (net/myrinet/runs/list.h); events come only where a worm's head asks for an output,
// where its last character frees one, and where a buffer crosses a line.
#ifndef NET_MYRINET_RUNS_ENGINE_H
#define NET_MYRINET_RUNS_ENGINE_H

#include "net/engine.h"
#include "net/myrinet/params.h"

// Its setup's params are a struct myr_params.
extern const struct net_engine myr_runs;

#endif
