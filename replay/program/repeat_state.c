// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a program between two offers, as words.
#include <stdlib.h>

#include "program/repeat.h"

// A time that is 0 until it is set.
static void repeat_put_set(struct net_view *view, int64_t ticks)
{
	net_view_put(view, ticks == 0 ? (uint64_t)INT64_MIN : (uint64_t)(ticks - view->now_ticks));
}

static void repeat_put_op(struct program *program, uint32_t op)
{
	const struct repeat *repeat = program->repeat;
	const uint32_t rank = op == NOTHING ? 0 : rank_of(program, op);

	net_view_put(&program->repeat->view,
		     op == NOTHING ? UINT64_MAX : (uint64_t)rank << 32 | (op - repeat->low[rank]));
}

static void repeat_put_message(struct program *program, uint32_t message)
{
	net_view_put(&program->repeat->view,
		     message == NOTHING ? UINT64_MAX : program->repeat->names[message]);
}

static void repeat_put_task(struct program *program, uint32_t task)
{
	net_view_put(&program->repeat->view, is_message(task));
	if (is_message(task))
		repeat_put_message(program, task & ~TASK_MESSAGE);
	else
		repeat_put_op(program, task);
}

static void repeat_put_step(struct program *program, uint32_t step)
{
	net_view_put(&program->repeat->view,
		     step == PROGRAM_NO_STEP ? UINT64_MAX : program->path.count - step);
}

// --- messages

static int repeat_by_age(const void *a, const void *b, void *context)
{
	const struct message *messages = context;
	const uint64_t x = messages[*(const uint32_t *)a].order,
		       y = messages[*(const uint32_t *)b].order;

	return x < y ? -1 : x > y;
}

// Returns how many there are.
static uint32_t repeat_name_messages(struct program *program)
{
	struct repeat *repeat = program->repeat;
	uint32_t count = 0;

	for (uint32_t i = 0; i < program->pool.fresh_message; i++)
		if (program->pool.messages[i].send != NOTHING)
			repeat->live[count++] = i;
	qsort_r(repeat->live, count, sizeof(*repeat->live), repeat_by_age, program->pool.messages);
	for (uint32_t i = 0; i < count; i++)
		repeat->names[repeat->live[i]] = i;
	return count;
}

// The unexpected messages of its name, if it is the first of them.
static void repeat_put_unexpected(struct program *program, uint32_t number)
{
	uint32_t i = matching_unexpected(program, number);

	if (i != number)
		return;
	for (; i != NOTHING; i = program->pool.messages[i].kept.younger)
		repeat_put_message(program, i);
}

static void repeat_put_messages(struct program *program, uint32_t count)
{
	struct net_view *view = &program->repeat->view;

	net_view_put(view, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct message *message = &program->pool.messages[program->repeat->live[i]];

		net_view_put(view, program->due.orders - message->order);
		net_view_put(view, message->left_bytes);
		net_view_time(view, message->begun_ticks);
		net_view_time(view, message->due_ticks);
		repeat_put_set(view, message->handed_ticks);
		repeat_put_set(view, message->arrived_ticks);
		repeat_put_op(program, message->send);
		repeat_put_op(program, message->recv);
		net_view_put(view, (uint64_t)message->source << 32 | message->destination);
		net_view_put(view, (uint64_t)message->worms_made << 32 | message->worms_due);
		net_view_put(view, (uint64_t)message->stage << 1 | message->lost);
		if (program->path.steps)
			repeat_put_step(program,
					program->path.of_message[program->repeat->live[i]]);
	}
	for (uint32_t i = 0; i < count; i++)
		repeat_put_unexpected(program, program->repeat->live[i]);
	net_view_put(view, UINT64_MAX);
}

static void repeat_put_lineup(struct program *program, const struct lineup *lineup)
{
	for (uint32_t i = lineup->first; i != NOTHING; i = program->pool.messages[i].kept.younger)
		repeat_put_message(program, i);
	net_view_put(&program->repeat->view, UINT64_MAX);
}

// --- operations

static void repeat_put_work(struct program *program, uint32_t op)
{
	const struct operations *ops = &program->ops;
	struct net_view *view = &program->repeat->view;

	net_view_put(view, ops->all[op].state);
	if (ops->all[op].state == OP_ENDED)
		return;
	net_view_put(view, ops->all[op].waits);
	repeat_put_set(view, ops->all[op].ready_ticks);
	if (ops->all[op].state == OP_READY)
		net_view_put(view, program->due.orders - ops->all[op].order);
	if (ops->all[op].state == OP_POSTED)
		net_view_put(view, program->matching.posts - ops->all[op].order);
	if (program->path.steps)
		repeat_put_step(program, program->path.op_ready[op]);
}

// Those between the first that has not ended and the last that something has happened to.
static bool repeat_put_ops(struct program *program)
{
	struct repeat *repeat = program->repeat;
	uint64_t count = 0;

	for (uint32_t rank = 0; rank < program->goal->ranks; rank++) {
		uint32_t *low = &repeat->low[rank];

		while (*low < program->goal->first[rank + 1] &&
		       program->ops.all[*low].state == OP_ENDED)
			++*low;
		if (repeat->high[rank] < *low)
			repeat->high[rank] = *low;
		count += repeat->high[rank] - *low;
	}
	if (count > REPEAT_OPS + 16 * (uint64_t)program->goal->ranks)
		return false;
	for (uint32_t rank = 0; rank < program->goal->ranks; rank++) {
		net_view_put(&repeat->view, repeat->high[rank] - repeat->low[rank]);
		for (uint32_t op = repeat->low[rank]; op < repeat->high[rank]; op++)
			repeat_put_work(program, op);
	}
	return true;
}

// --- ranks

static void repeat_put_ranks(struct program *program)
{
	struct net_view *view = &program->repeat->view;

	for (uint32_t i = 0; i < program->goal->ranks; i++) {
		const struct rank *rank = &program->ranks[i];

		net_view_put(view, (uint64_t)rank->window_used << 1 | rank->sending);
		for (uint32_t k = rank->outbox.first; k != NOTHING;
		     k = program->pool.messages[k].next)
			repeat_put_message(program, k);
		net_view_put(view, UINT64_MAX);
	}
	for (uint32_t i = program->due.sending.first; i != NOTHING;
	     i = program->ranks[i].next_sending)
		net_view_put(view, i);
	net_view_put(view, UINT64_MAX);
}

static void repeat_put_queues(struct program *program)
{
	const uint64_t count = (uint64_t)program->goal->ranks * program->processors.queues_per_rank;

	for (uint64_t i = 0; i < count; i++) {
		net_view_put(&program->repeat->view, program->processors.queues[i].awake);
		for (uint32_t k = program->processors.queues[i].tasks.first; k != NOTHING;
		     k = *task_next(program, k))
			repeat_put_task(program, k);
		net_view_put(&program->repeat->view, UINT64_MAX);
	}
}

// An interface that was never used was free for ever; a processor has been idle since.
static void repeat_put_processors(struct program *program, uint32_t rank)
{
	const struct goal_program *goal = program->goal;
	struct net_view *view = &program->repeat->view;
	const struct path *path = &program->path;

	for (unsigned cpu = 0; cpu < goal->cpus; cpu++) {
		net_view_time(view, *cpu_free(program, rank, cpu));
		if (path->steps)
			repeat_put_step(program, path->of_cpu[(size_t)rank * goal->cpus + cpu]);
	}
	for (unsigned nic = 0; nic < goal->nics; nic++) {
		repeat_put_set(view, *send_free(program, rank, nic));
		repeat_put_set(view, *receive_free(program, rank, nic));
		if (!path->steps)
			continue;
		repeat_put_step(program, path->of_send[(size_t)rank * goal->nics + nic]);
		repeat_put_step(program, path->of_receive[(size_t)rank * goal->nics + nic]);
	}
}

static bool repeat_put_agenda(struct program *program)
{
	const size_t count = program->due.agenda.count;
	struct entry *entries = calloc(count + 1, sizeof(*entries));
	struct net_view *view = &program->repeat->view;

	if (!entries)
		return false;
	agenda_list(&program->due.agenda, entries);
	net_view_put(view, count);
	for (size_t i = 0; i < count; i++) {
		net_view_time(view, entries[i].time_ticks);
		net_view_put(view, program->due.orders - entries[i].order);
		net_view_put(view, entries[i].what);
		if (entries[i].what == WHAT_POST || entries[i].what == WHAT_READY)
			repeat_put_op(program, entries[i].about);
		else if (entries[i].what == WHAT_HAND || entries[i].what == WHAT_ARRIVE)
			repeat_put_message(program, entries[i].about);
		else
			net_view_put(view, entries[i].about);
	}
	free(entries);
	return true;
}

// Whether operations are about to be posted or released, or an offer is out: not between offers.
static bool repeat_is_busy(const struct program *program)
{
	bool busy = program->offered || program->due.posts.first != NOTHING;

	for (int turn = 0; turn < PROGRAM_TURNS; turn++)
		busy = busy || program->due.batch[turn].first != NOTHING;
	return busy;
}

bool repeat_write(struct program *program)
{
	struct net_view *view = &program->repeat->view;
	uint32_t count;

	view->count = 0;
	view->now_ticks = program->now_ticks;
	count = repeat_name_messages(program);
	if (repeat_is_busy(program) || !repeat_put_ops(program))
		return false;
	repeat_put_messages(program, count);
	repeat_put_lineup(program, &program->due.hands);
	repeat_put_lineup(program, &program->due.arrivals);
	repeat_put_ranks(program);
	repeat_put_queues(program);
	// Those of a rank that is done have an effect only on a program that does not finish.
	for (uint32_t rank = 0; rank < program->goal->ranks; rank++)
		if (program->repeat->low[rank] < program->goal->first[rank + 1])
			repeat_put_processors(program, rank);
	if (program->path.steps)
		repeat_put_step(program, program->path.present);
	if (!repeat_put_agenda(program))
		return false;
	view->write(view);
	net_view_time(view, program->now_ticks); // now, of the network's clock
	return !view->failed && !view->busy;
}
