// SPDX-License-Identifier: GPL-3.0-or-later
// What a program does alike, and how it goes on behind periods that are left out.
#include <stdlib.h>

#include "program/repeat.h"

// ---- what is alike

// Tags may go on by the same number in all operations: which of them are equal stays.
struct repeat_tags {
	uint32_t step;
	bool known;
};

static bool repeat_tags_alike(struct repeat_tags *tags, const struct goal_op *a,
			      const struct goal_op *b)
{
	if (a->kind == GOAL_CALC)
		return true;
	if (!tags->known)
		*tags = (struct repeat_tags){b->tag - a->tag, true};
	return b->tag - a->tag == tags->step;
}

static bool repeat_followers_alike(const struct operations *ops, uint32_t a, uint32_t b)
{
	const uint32_t count = ops->all[a + 1].first_after - ops->all[a].first_after;

	if (ops->all[b + 1].first_after - ops->all[b].first_after != count)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (ops->after[ops->all[b].first_after + i] -
			    ops->after[ops->all[a].first_after + i] !=
		    2 * (b - a))
			return false;
	return true;
}

static bool repeat_alike(const struct program *program, struct repeat_tags *tags, uint32_t a,
			 uint32_t b)
{
	const struct goal_op *x = &program->goal->ops[a], *y = &program->goal->ops[b];

	return x->kind == y->kind && x->size == y->size && x->peer == y->peer && x->cpu == y->cpu &&
	       x->nic == y->nic && program->repeat->needs[a] == program->repeat->needs[b] &&
	       repeat_tags_alike(tags, x, y) && repeat_followers_alike(&program->ops, a, b);
}

// In a period the rank goes on by step operations, and nothing beyond high is touched.
static uint64_t repeat_most_of(const struct program *program, struct repeat_tags *tags,
			       uint32_t rank, uint32_t from, uint32_t step)
{
	const uint32_t end = program->goal->first[rank + 1], high = program->repeat->high[rank];
	uint32_t next = from;

	if (step == 0)
		return UINT64_MAX;
	while (end - next > step && repeat_alike(program, tags, next, next + step))
		next++;
	next += step; // all before it are alike
	return next > high ? (next - high) / step : 0;
}

uint64_t repeat_most(const struct program *program, const uint32_t *from, const uint32_t *steps)
{
	struct repeat_tags tags = {.known = false};
	uint64_t most = UINT64_MAX;

	for (uint32_t rank = 0; rank < program->goal->ranks && most > 0; rank++) {
		const uint64_t of_rank = repeat_most_of(program, &tags, rank, from[rank],
							steps[rank]);

		most = of_rank < most ? of_rank : most;
	}
	return most;
}

// ---- going on

// Where an operation at work moves to.
static uint32_t repeat_moved(const struct program *program, uint32_t op, uint64_t times)
{
	return op == NOTHING
		       ? NOTHING
		       : op + (uint32_t)(times * program->repeat->period[rank_of(program, op)]);
}

static void repeat_move_task(const struct program *program, uint32_t *task, uint64_t times)
{
	if (!is_message(*task))
		*task = repeat_moved(program, *task, times);
}

// A list of tasks, whose links are those of the operations and messages in it.
static void repeat_move_chain(struct program *program, struct chain *chain, uint64_t times)
{
	uint32_t *link = &chain->first;

	while (*link != NOTHING) {
		uint32_t *next = task_next(program, *link);

		repeat_move_task(program, link, times);
		if (*next == NOTHING)
			chain->last = *link;
		link = next;
	}
}

static int repeat_by_post(const void *a, const void *b, void *context)
{
	const struct operation *all = context;
	const uint64_t x = all[*(const uint32_t *)a].order, y = all[*(const uint32_t *)b].order;

	return x < y ? -1 : x > y;
}

// Takes the posted receives, in their order, out of the lists by name; returns how many.
static uint32_t repeat_take_posted(struct program *program)
{
	struct repeat *repeat = program->repeat;
	uint32_t count = 0;

	for (uint32_t rank = 0; rank < program->goal->ranks; rank++)
		for (uint32_t op = repeat->low[rank]; op < repeat->high[rank]; op++)
			if (program->ops.all[op].state == OP_POSTED)
				repeat->tasks[count++] = op;
	qsort_r(repeat->tasks, count, sizeof(*repeat->tasks), repeat_by_post, program->ops.all);
	for (uint32_t i = 0; i < count; i++)
		matching_take_all(program, repeat->tasks[i]);
	return count;
}

// The same of the unexpected messages, each list in its order; they follow the first count.
static uint32_t repeat_take_unexpected(struct program *program, uint32_t count)
{
	struct repeat *repeat = program->repeat;
	const uint32_t first = count;

	for (uint32_t i = 0; i < program->pool.fresh_message; i++) {
		if (program->pool.messages[i].send == NOTHING ||
		    matching_unexpected(program, i) != i)
			continue;
		for (uint32_t k = i; k != NOTHING; k = program->pool.messages[k].kept.younger)
			repeat->tasks[count++] = k;
	}
	for (uint32_t i = first; i < count; i++)
		matching_forget(program, repeat->tasks[i]);
	return count - first;
}

static void repeat_copy_op(struct program *program, uint32_t from, uint32_t to)
{
	struct operations *ops = &program->ops;

	ops->all[to].waits = ops->all[from].waits;
	ops->all[to].ready_ticks = ops->all[from].ready_ticks;
	ops->all[to].order = ops->all[from].order;
	ops->all[to].next = ops->all[from].next;
	ops->all[to].state = ops->all[from].state;
	if (program->path.steps)
		program->path.op_ready[to] = program->path.op_ready[from];
}

// What is left out has ended.
static void repeat_move_ops(struct program *program, uint32_t rank, uint32_t by)
{
	struct repeat *repeat = program->repeat;
	uint32_t *low = &repeat->low[rank], *high = &repeat->high[rank];

	if (by == 0)
		return;
	for (uint32_t op = *high; op-- > *low;)
		repeat_copy_op(program, op, op + by);
	for (uint32_t op = *low; op < *low + by; op++)
		program->ops.all[op].state = OP_ENDED;
	*low += by;
	*high += by;
}

static void repeat_move_references(struct program *program, uint64_t times)
{
	const uint64_t queues = (uint64_t)program->goal->ranks *
				program->processors.queues_per_rank;

	for (uint64_t i = 0; i < queues; i++)
		repeat_move_chain(program, &program->processors.queues[i].tasks, times);
	for (uint32_t i = 0; i < program->pool.fresh_message; i++) {
		struct message *message = &program->pool.messages[i];

		if (message->send == NOTHING)
			continue;
		message->send = repeat_moved(program, message->send, times);
		message->recv = repeat_moved(program, message->recv, times);
	}
	for (size_t i = 0; i < program->due.agenda.count; i++) {
		struct entry *entry = &program->due.agenda.entries[i];

		if (entry->what == WHAT_POST || entry->what == WHAT_READY)
			entry->about = repeat_moved(program, entry->about, times);
	}
}

void repeat_move(struct program *program, uint64_t times)
{
	struct repeat *repeat = program->repeat;
	const uint32_t posted = repeat_take_posted(program);
	const uint32_t unexpected = repeat_take_unexpected(program, posted);

	repeat_move_references(program, times);
	for (uint32_t rank = 0; rank < program->goal->ranks; rank++)
		repeat_move_ops(program, rank, (uint32_t)(times * repeat->period[rank]));
	for (uint32_t i = 0; i < posted; i++)
		matching_post(program, repeat_moved(program, repeat->tasks[i], times));
	for (uint32_t i = posted; i < posted + unexpected; i++)
		matching_keep(program, repeat->tasks[i]);
}
