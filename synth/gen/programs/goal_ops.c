// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/programs/goal_ops.h"

#include <stdlib.h>
#include <string.h>

#include "value/grow.h"

uint32_t goal_ops_add(struct goal_ops *ops, uint32_t rank, const struct goal_op *op)
{
	if (ops->op_count == GOAL_OPS_MAX || !GROW(ops->ops, ops->op_room, ops->op_count)) {
		ops->failed = true;
		return GOAL_OPS_NONE;
	}
	ops->ops[ops->op_count] = (struct goal_rank_op){*op, rank};
	return ops->op_count++;
}

void goal_ops_need(struct goal_ops *ops, uint32_t op, uint32_t after)
{
	if (op == GOAL_OPS_NONE || after == GOAL_OPS_NONE)
		return;
	if (ops->need_count == GOAL_NEEDS_MAX ||
	    !GROW(ops->needs, ops->need_room, ops->need_count)) {
		ops->failed = true;
		return;
	}
	ops->needs[ops->need_count++] = (struct goal_need){.op = op, .after = after};
}

static int by_op(const void *a, const void *b)
{
	const struct goal_need *x = a;
	const struct goal_need *y = b;

	if (x->op != y->op)
		return x->op < y->op ? -1 : 1;
	return (x->after > y->after) - (x->after < y->after);
}

// Sorts the operations by rank, in their order.
static void goal_ops_sort(const struct goal_ops *ops, struct goal_program *goal, uint32_t *places)
{
	for (uint32_t i = 0; i < ops->op_count; i++)
		goal->first[ops->ops[i].rank + 1]++;
	for (uint32_t rank = 0; rank < goal->ranks; rank++)
		goal->first[rank + 1] += goal->first[rank];
	for (uint32_t i = ops->op_count; i-- > 0;) {
		places[i] = --goal->first[ops->ops[i].rank + 1];
		goal->ops[places[i]] = ops->ops[i].op;
	}
	memmove(goal->first, goal->first + 1, goal->ranks * sizeof(*goal->first));
	goal->first[goal->ranks] = ops->op_count;
	for (uint32_t i = 0; i < ops->need_count; i++)
		goal->needs[i] = (struct goal_need){.op = places[ops->needs[i].op],
						    .after = places[ops->needs[i].after]};
	qsort(goal->needs, ops->need_count, sizeof(*goal->needs), by_op);
}

enum tr_status goal_ops_write(const struct goal_ops *ops, uint32_t ranks, const char *name,
			      FILE *out, struct tr_error *err)
{
	struct goal_program goal = {.ranks = ranks,
				    .cpus = 1,
				    .nics = 1,
				    .op_count = ops->op_count,
				    .need_count = ops->need_count};
	uint32_t *places = calloc((size_t)ops->op_count + 1, sizeof(*places));
	enum tr_status status = TR_OK;

	goal.first = calloc((size_t)goal.ranks + 2, sizeof(*goal.first));
	goal.ops = calloc((size_t)ops->op_count + 1, sizeof(*goal.ops));
	goal.needs = calloc((size_t)ops->need_count + 1, sizeof(*goal.needs));
	if (!ops->failed && places && goal.first && goal.ops && goal.needs) {
		goal_ops_sort(ops, &goal, places);
		fprintf(out, "// %s\n", name);
		goal_write(&goal, out);
	} else {
		status = tr_no_memory(err, "the operations of %s", name);
	}
	free(places);
	goal_clear(&goal);
	return status;
}

void goal_ops_clear(struct goal_ops *ops)
{
	free(ops->ops);
	free(ops->needs);
	*ops = (struct goal_ops){.ops = NULL};
}
