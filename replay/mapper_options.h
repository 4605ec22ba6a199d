// SPDX-License-Identifier: GPL-3.0-or-later
// flitsim's options of the mapper, and what it says of one.
#ifndef REPLAY_MAPPER_OPTIONS_H
#define REPLAY_MAPPER_OPTIONS_H

#include "mapper/mapper.h"
#include "trace/opt.h"
#include "trace/table.h"

struct mapper_options {
	struct num_ratio period_s; // 0: no mapper
	struct num_ratio timeout_s;
	uint64_t tries;
	struct num_ratio scout_B;
};

#define MAPPER_OPTION_ROWS 4u

// Writes the defaults, and the rows that change them; returns how many.
size_t mapper_options_start(struct mapper_options *options, struct opt *rows);

// The parameters on a clock; mtu_bytes as of other worms. TR_ERROR where one is out of range.
enum tr_status mapper_options_settle(const struct mapper_options *options, uint64_t ticks_per_s,
				     uint32_t mtu_bytes, struct mapper_params *params,
				     struct tr_error *err);

// What a mapper did, for the caller to free.
struct table *mapper_table(const struct mapper_totals *totals, uint64_t ticks_per_s);

// Takes the mapper's worms out of the books of a run, so that these are of the other traffic.
void mapper_leave_books(const struct mapper_totals *mapper, struct net_totals *totals);

#endif
