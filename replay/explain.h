// SPDX-License-Identifier: GPL-3.0-or-later
// The time of one worm in an empty network, simulated and as a sum of terms
// (net/myrinet/formula.h).
#ifndef REPLAY_EXPLAIN_H
#define REPLAY_EXPLAIN_H

#include <stdio.h>

#include "net/engine.h"
#include "net/myrinet/params.h"
#include "trace/table.h"

// Sends one worm of size_bytes from host 0 to host 1 of setup's network (its traffic and results
// are not used) and prints the terms, their sum, the simulated time and what is left.
enum tr_status explain_print(const struct net_setup *setup, const struct net_engine *engine,
			     uint32_t size_bytes, struct table_style style, FILE *out,
			     struct tr_error *err);

#endif
