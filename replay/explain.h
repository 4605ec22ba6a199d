// SPDX-License-Identifier: GPL-3.0-or-later
// The time of one worm in an empty network, simulated by the plain engine and as the sum of the formula's terms.
#ifndef REPLAY_EXPLAIN_H
#define REPLAY_EXPLAIN_H

#include <stdio.h>

#include "net/fabric.h"
#include "trace/table.h"

// Sends one worm of size_bytes from host 0 to host 1 of setup's network (its traffic and results
// are not used) and prints the terms, their sum, the simulated time and what is left.
enum tr_status explain_print(const struct net_setup *setup, const struct fabric *fabric, uint32_t size_bytes,
			     struct table_style style, FILE *out, struct tr_error *err);

#endif
