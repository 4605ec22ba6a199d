// SPDX-License-Identifier: GPL-3.0-or-later
// The operations of a program as they are made, of all ranks in any order, and then as GOAL.
#ifndef GEN_PROGRAMS_GOAL_OPS_H
#define GEN_PROGRAMS_GOAL_OPS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "text/goal.h"
#include "value/status.h"

#define GOAL_OPS_NONE UINT32_MAX

struct goal_rank_op {
	struct goal_op op;
	uint32_t rank;
};

// Zero is a valid empty one.
struct goal_ops {
	struct goal_rank_op *ops;
	uint32_t op_count, op_room;
	struct goal_need *needs;
	uint32_t need_count, need_room;
	bool failed; // out of memory, or more than GOAL_OPS_MAX or GOAL_NEEDS_MAX
};

// Adds an operation of a rank, after the others of this rank. Returns its number in ops;
// GOAL_OPS_NONE if that failed.
uint32_t goal_ops_add(struct goal_ops *ops, uint32_t rank, const struct goal_op *op);

// Lets an operation wait for the end of another one of its rank; nothing if one is GOAL_OPS_NONE.
void goal_ops_need(struct goal_ops *ops, uint32_t op, uint32_t after);

// Writes the operations, each rank's in the order in which they were made, and the name as a
// comment. TR_ERROR if out of memory, now or before, with nothing
// written. For write failures check out.
enum tr_status goal_ops_write(const struct goal_ops *ops, uint32_t ranks, const char *name,
			      FILE *out, struct tr_error *err);

// Frees what is held.
void goal_ops_clear(struct goal_ops *ops);

#endif
