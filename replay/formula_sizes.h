// SPDX-License-Identifier: GPL-3.0-or-later
// The formula of a kind of network for worms of given sizes, beside one simulated worm in an empty network.
#ifndef REPLAY_FORMULA_SIZES_H
#define REPLAY_FORMULA_SIZES_H

#include "fabric_input.h"
#include "trace/table.h"

#define FORMULA_SIZES_MAX 64u

extern const struct opt_choice formula_level_words[];

struct formula_request {
	struct net_setup setup; // network, routes, parameters, clock
	const struct fabric *fabric;
	uint32_t sizes_B[FORMULA_SIZES_MAX];
	uint32_t size_count;
	uint64_t senders;
	int level_percent;
};

// The sizes of an option's words (each may hold several with commas), 4 B to 8 KiB in powers of two
// where there are none. TR_ERROR where one is no whole number of bytes from 1 to 256 MiB or they are
// too many.
enum tr_status formula_sizes_read(const struct opt_list *words, struct formula_request *request, struct tr_error *err);

// A row for each number of switches that routes of host 0 pass, and each size. The caller frees *table.
enum tr_status formula_sizes_table(const struct formula_request *request, struct table **table, struct tr_error *err);

#endif
