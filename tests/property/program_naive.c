// SPDX-License-Identifier: GPL-3.0-or-later
#include "program_naive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum item_kind { ITEM_OP, ITEM_MESSAGE };

struct item {
	int64_t time;
	uint64_t age;
	uint32_t op; // of a message its send
	enum item_kind kind;
};

struct naive {
	const struct goal_program *program;
	const struct naive_params *params;
	struct item *items;
	size_t count;
	uint64_t ages;
	uint32_t *waits;
	int64_t *cpu, *sends, *receives; // free again
	bool *posted;			 // of a receive
	bool *there; // of a send: its message was received before its receive was posted
	bool *begun; // a begin was the last that it waited for
};

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void push(struct naive *n, int64_t time, uint32_t op, enum item_kind kind, uint64_t age)
{
	n->items[n->count++] = (struct item){time, age, op, kind};
}

static struct item pop(struct naive *n)
{
	size_t best = 0;
	struct item item;

	for (size_t i = 1; i < n->count; i++)
		if (n->items[i].time < n->items[best].time ||
		    (n->items[i].time == n->items[best].time &&
		     n->items[i].age < n->items[best].age))
			best = i;
	item = n->items[best];
	n->items[best] = n->items[--n->count];
	return item;
}

static void let_go_kind(struct naive *n, uint32_t rank, enum goal_kind kind, bool begun)
{
	const struct goal_program *p = n->program;

	for (uint32_t op = p->first[rank]; op < p->first[rank + 1]; op++) {
		int64_t time = n->cpu[rank];

		if (p->ops[op].kind != kind || n->waits[op] != 0 || n->begun[op] != begun)
			continue;
		n->waits[op] = UINT32_MAX;
		if (kind == GOAL_SEND)
			time = most(time, n->sends[rank]);
		push(n, time, op, ITEM_OP, n->ages++);
	}
}

// Releases the rank's operations without remaining dependencies, sends first.
static void let_go(struct naive *n, uint32_t rank)
{
	static const enum goal_kind turns[] = {GOAL_SEND, GOAL_RECV, GOAL_CALC};

	for (int turn = 0; turn < 3; turn++) {
		let_go_kind(n, rank, turns[turn], true);
		let_go_kind(n, rank, turns[turn], false);
	}
}

static void meet(struct naive *n, uint32_t op, bool begin)
{
	for (uint32_t i = 0; i < n->program->need_count; i++)
		if (n->program->needs[i].after == op && n->program->needs[i].started == begin) {
			n->waits[n->program->needs[i].op]--;
			n->begun[n->program->needs[i].op] = begin;
		}
}

// The receive that has the message's tag, or the send that has the receive's.
static uint32_t other(const struct naive *n, uint32_t op, enum goal_kind kind)
{
	for (uint32_t i = 0; i < n->program->op_count; i++)
		if (n->program->ops[i].kind == kind &&
		    n->program->ops[i].tag == n->program->ops[op].tag)
			return i;
	fail_msg("tag %u has no other end", n->program->ops[op].tag);
	return 0;
}

static void receive_message(struct naive *n, const struct item *item)
{
	const struct goal_op *send = &n->program->ops[item->op];
	int64_t rest = send->size > 0 ? (int64_t)send->size - 1 : 0;
	uint32_t rank = send->peer;
	int64_t open = most(n->cpu[rank], n->receives[rank]);
	uint32_t recv = other(n, item->op, GOAL_RECV);

	if (open > item->time) {
		push(n, open, item->op, ITEM_MESSAGE, item->age);
		return;
	}
	n->cpu[rank] = item->time + n->params->o + most(rest * n->params->O, rest * n->params->G);
	n->receives[rank] = item->time + n->params->g + rest * n->params->G;
	n->there[item->op] = true;
	if (n->posted[recv]) {
		meet(n, recv, false);
		let_go(n, rank);
	}
}

static void do_op(struct naive *n, const struct item *item)
{
	const struct goal_op *op = &n->program->ops[item->op];
	uint32_t rank = goal_rank_of(n->program, item->op);
	int64_t rest = op->size > 0 ? (int64_t)op->size - 1 : 0;
	int64_t open = n->cpu[rank];

	if (op->kind == GOAL_SEND)
		open = most(open, n->sends[rank]);
	if (op->kind != GOAL_RECV && open > item->time) {
		push(n, open, item->op, ITEM_OP, item->age);
		return;
	}
	meet(n, item->op, true);
	if (op->kind == GOAL_CALC)
		n->cpu[rank] = item->time + (int64_t)op->size;
	if (op->kind == GOAL_SEND) {
		n->cpu[rank] = item->time + n->params->o + rest * n->params->O;
		n->sends[rank] = item->time + n->params->g + rest * n->params->G;
		push(n, item->time + n->params->o + n->params->L, item->op, ITEM_MESSAGE,
		     n->ages++);
	}
	n->posted[item->op] = true;
	if (op->kind != GOAL_RECV || n->there[other(n, item->op, GOAL_SEND)])
		meet(n, item->op, false);
	let_go(n, rank);
}

void program_naive(const struct goal_program *program, const struct naive_params *params,
		   int64_t *finish_ns)
{
	size_t ops = (size_t)program->op_count + 1;
	struct naive n = {.program = program,
			  .params = params,
			  .items = calloc(2 * ops, sizeof(*n.items)),
			  .waits = calloc(ops, sizeof(*n.waits)),
			  .cpu = finish_ns,
			  .sends = calloc(program->ranks, sizeof(*n.sends)),
			  .receives = calloc(program->ranks, sizeof(*n.receives)),
			  .posted = calloc(ops, sizeof(*n.posted)),
			  .there = calloc(ops, sizeof(*n.there)),
			  .begun = calloc(ops, sizeof(*n.begun))};

	for (uint32_t i = 0; i < program->need_count; i++)
		n.waits[program->needs[i].op]++;
	for (uint32_t rank = 0; rank < program->ranks; rank++) {
		finish_ns[rank] = 0;
		let_go(&n, rank);
	}
	while (n.count > 0) {
		struct item item = pop(&n);

		if (item.kind == ITEM_MESSAGE)
			receive_message(&n, &item);
		else
			do_op(&n, &item);
	}
	free(n.items);
	free(n.waits);
	free(n.sends);
	free(n.receives);
	free(n.posted);
	free(n.there);
	free(n.begun);
}
