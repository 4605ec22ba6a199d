// SPDX-License-Identifier: GPL-3.0-or-later
// flitsim's --mapper, and what it says of one.
#ifndef REPLAY_MAPPER_OPTIONS_H
#define REPLAY_MAPPER_OPTIONS_H

#include "keys_input.h"
#include "mapper/mapper.h"

struct mapper_options {
	struct num_ratio period_s;
	struct num_ratio timeout_s;
	uint64_t tries;
	uint64_t scout_bytes;
};

// The keys, over struct mapper_options.
extern const struct key_kind mapper_keys;

// The parameters on a clock; mtu_bytes as of other worms. TR_ERROR where one is out of range.
enum tr_status mapper_options_settle(const struct mapper_options *options, uint64_t ticks_per_s, uint32_t mtu_bytes,
				     struct mapper_params *params, struct tr_error *err);

// What a mapper did, for the caller to free.
struct table *mapper_table(const struct mapper_totals *totals, uint64_t ticks_per_s);

// Takes the mapper's worms out of the books of a run, so that these are of the other traffic.
void mapper_leave_books(const struct mapper_totals *mapper, struct net_totals *totals);

#endif
