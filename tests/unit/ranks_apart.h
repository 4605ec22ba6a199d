// SPDX-License-Identifier: GPL-3.0-or-later
// A run by several ranks, each a thread of this process: what MPI does between processes.
#ifndef TESTS_RANKS_APART_H
#define TESTS_RANKS_APART_H

#include "net/engine.h"

// Runs the engine by so many ranks, at most 8; rank 0, which has the setup's traffic and results,
// is the caller. As the engine's own run.
enum tr_status ranks_apart_run(const struct net_engine *engine, const struct net_setup *setup,
			       uint32_t ranks, struct net_totals *totals, struct tr_error *err);

#endif
