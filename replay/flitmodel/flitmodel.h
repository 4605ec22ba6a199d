// SPDX-License-Identifier: GPL-3.0-or-later
// Simulations that flitmodel compares a kind's formula with: lone worms, and the worms of a stream.
#ifndef REPLAY_FLITMODEL_FLITMODEL_H
#define REPLAY_FLITMODEL_FLITMODEL_H

#include "input/network_input.h"
#include "trace/reader.h"
#include "trace/table.h"

// --- formula_sizes.c

// The formula of a kind of network for worms of given sizes, next to one simulated worm in an empty network.

#define FORMULA_SIZES_MAX 64u

struct formula_request {
	struct net_setup setup; // network, routes, parameters, clock
	const struct fabric *fabric;
	uint32_t sizes_B[FORMULA_SIZES_MAX];
	uint32_t size_count;
	uint64_t senders;
	int level_percent;
};

// Reads the sizes from an option's words (each may hold several with commas); without any, 4 B to 8 KiB in powers of two.
// TR_ERROR where one is no whole number of bytes from 1 to 256 MiB or there are too many.
enum tr_status formula_sizes_read(const struct opt_list *words, struct formula_request *request, struct tr_error *err);

// A row for each number of switches on host 0's routes, and each size. The caller frees *table.
enum tr_status formula_sizes_table(const struct formula_request *request, struct table **table, struct tr_error *err);

// --- formula_deliveries.c

// Network times of delivered worms, next to the formula for their sizes and numbers of switches: the difference is the cost of
// contention.

struct formula_deliveries;

// request is lent until close. The caller closes *deliveries, also after TR_ERROR.
enum tr_status formula_deliveries_open(struct formula_deliveries **deliveries, const struct formula_request *request,
				       struct tr_error *err);

// Adds the delivered worms of a stream. TR_ERROR if it holds other records or its worms could not travel with the formula's
// parameters; the stream's owner reports damage.
enum tr_status formula_deliveries_read(struct formula_deliveries *deliveries, struct tr_reader *in, struct tr_error *err);

// A row for each number of switches and each octave of sizes. The caller frees it.
struct table *formula_deliveries_table(const struct formula_deliveries *deliveries);

void formula_deliveries_close(struct formula_deliveries *deliveries);

#endif
