// SPDX-License-Identifier: GPL-3.0-or-later
// Operations become ready, begin and end, and release their successors.
#include "program/mpi_flows.h"
#include "program/program_jobs.h"
#include "program/repeat.h"

int64_t later(struct program *program, int64_t ticks, int64_t dt_ticks)
{
	int64_t sum;

	if (__builtin_add_overflow(ticks, dt_ticks, &sum) || sum > INT64_MAX / 4) {
		program->overflow = true;
		return INT64_MAX / 4;
	}
	return sum;
}

// The order of releasing batches; of each kind first those released by an operation's begin.
static const uint8_t turn_of[] = {[GOAL_SEND] = 0, [GOAL_RECV] = 2, [GOAL_CALC] = 4};

static void become_ready(struct program *program, uint32_t op, uint32_t begun)
{
	struct chain *batch = &program->due.batch[turn_of[program->goal->ops[op].kind] + 1 - begun];

	program->ops.all[op].state = OP_READY;
	program->ops.all[op].next = NOTHING;
	repeat_touch(program, rank_of(program, op), op);
	if (batch->first == NOTHING)
		batch->first = op;
	else
		program->ops.all[batch->last].next = op;
	if (batch->first != op && op < batch->last)
		program->due.batch_mixed = true;
	batch->last = op;
}

// Releases successors that depend on the begin, or else the end, of op.
static void satisfy(struct program *program, uint32_t op, uint32_t begun, int64_t ticks)
{
	struct operations *ops = &program->ops;

	for (uint32_t i = ops->all[op].first_after; i < ops->all[op + 1].first_after; i++) {
		uint32_t successor = ops->after[i] / 2;

		if (ops->after[i] % 2 != begun)
			continue;
		repeat_touch(program, rank_of(program, successor), successor);
		if (ticks > ops->all[successor].ready_ticks) {
			ops->all[successor].ready_ticks = ticks;
			path_of_op(program, successor);
		}
		if (--ops->all[successor].waits == 0)
			become_ready(program, successor, begun);
	}
}

static void begin_operations(struct program *program, uint32_t op)
{
	program->ops.all[op].state = OP_BEGUN;
	satisfy(program, op, 1, program->now_ticks);
}

// The rank's last operation has ended.
static void operations_finish(struct program *program, uint32_t rank)
{
	int64_t ticks = program->ranks[rank].sums.finish_ticks;

	remind(program, ticks > program->now_ticks ? ticks : program->now_ticks,
	       program->due.orders++, WHAT_FINISH, rank);
}

void operation_end(struct program *program, uint32_t op, int64_t end_ticks)
{
	struct program_rank *sums = &program->ranks[rank_of(program, op)].sums;

	program->ops.all[op].state = OP_ENDED;
	program->totals.ended++;
	if (end_ticks + program->skipped_ticks > sums->finish_ticks)
		sums->finish_ticks = end_ticks + program->skipped_ticks;
	if (program->due.jobs)
		job_operation_ended(program, rank_of(program, op), end_ticks);
	path_finish(program, end_ticks);
	satisfy(program, op, 0, end_ticks);
	if (program->params.mpi.on && --program->ranks[rank_of(program, op)].ops_left == 0)
		operations_finish(program, rank_of(program, op));
}

// Those of one tick come in order of creation, so a list suffices.
static void post_now(struct program *program, uint32_t op)
{
	struct chain *posts = &program->due.posts;

	matching_expect(program, rank_of(program, op), program->goal->ops[op].peer,
			program->goal->ops[op].tag);
	program->ops.all[op].next = NOTHING;
	CHAIN_APPEND(posts, program->ops.all, next, op);
}

static void release(struct program *program, uint32_t op)
{
	const struct goal_op *what = &program->goal->ops[op];
	int64_t ticks = program->ops.all[op].ready_ticks;
	int64_t free_ticks;

	program->ops.all[op].order = program->due.orders++;
	if (what->kind != GOAL_RECV) {
		queue_add_op(program, op);
		return;
	}
	free_ticks = *cpu_free(program, rank_of(program, op), what->cpu);
	if (free_ticks > ticks) {
		ticks = free_ticks;
		path_wait_cpu(program, op, rank_of(program, op), what->cpu);
	}
	if (ticks > program->now_ticks)
		remind(program, ticks, program->ops.all[op].order, WHAT_POST, op);
	else
		post_now(program, op);
}

void operations_release(struct program *program)
{
	for (int turn = 0; turn < PROGRAM_TURNS; turn++) {
		uint32_t op = program->due.batch[turn].first;

		if (program->due.batch_mixed)
			op = order_sort(program->ops.all, op);
		program->due.batch[turn].first = NOTHING;
		while (op != NOTHING) {
			uint32_t next = program->ops.all[op].next;

			release(program, op);
			op = next;
		}
	}
	program->due.batch_mixed = false;
}

static void begin_rank(struct program *program, uint32_t rank)
{
	const struct goal_program *goal = program->goal;

	for (unsigned cpu = 0; cpu < goal->cpus; cpu++)
		*cpu_free(program, rank, cpu) = program->now_ticks;
	if (goal->first[rank] < goal->first[rank + 1])
		program->ranks[rank].sums.connect_ticks += program->now_ticks -
							   program->ranks[rank].sums.finish_ticks;
	for (uint32_t op = goal->first[rank]; op < goal->first[rank + 1]; op++)
		if (program->ops.all[op].waits == 0) {
			program->ops.all[op].ready_ticks = program->now_ticks;
			become_ready(program, op, 0);
		}
	operations_release(program);
	queues_begin(program, rank);
	if (program->params.mpi.on && goal->first[rank] == goal->first[rank + 1])
		operations_finish(program, rank);
}

void operations_start(struct program *program, uint32_t rank)
{
	flows_connect(program, rank);
	if (program->ranks[rank].greetings == 0)
		begin_rank(program, rank);
}

// All that connect at once do so before any begins.
void operations_begin(struct program *program)
{
	const uint32_t ranks = program->goal->ranks;

	for (uint32_t rank = 0; rank < ranks; rank++)
		if (job_runs(program, rank) && job_start_ticks(program, rank) == 0)
			flows_connect(program, rank);
	for (uint32_t rank = 0; rank < ranks; rank++) {
		const int64_t ticks = job_start_ticks(program, rank);

		if (!job_runs(program, rank))
			continue;
		if (ticks > 0)
			remind(program, ticks, program->due.orders++, WHAT_BEGIN, rank);
		else if (program->ranks[rank].greetings == 0)
			begin_rank(program, rank);
	}
}

void operations_greet(struct program *program, uint32_t rank)
{
	if (program->ranks[rank].greetings > 0 && --program->ranks[rank].greetings == 0)
		begin_rank(program, rank);
}

// When an unexpected message is available to the rank: now, or when the processor has received it.
static int64_t taken_in(const struct program *program, uint32_t message)
{
	int64_t ticks = program->pool.messages[message].arrived_ticks;

	return ticks > program->now_ticks ? ticks : program->now_ticks;
}

void operation_post(struct program *program, uint32_t op)
{
	uint32_t message;

	path_post(program, op);
	begin_operations(program, op);
	message = matching_take_unexpected(program, op);
	if (message == NOTHING) {
		matching_post(program, op);
		return;
	}
	if (taken_in(program, message) > program->now_ticks)
		path_taken_in(program, message);
	message_meet(program, message, op, taken_in(program, message));
}

static void calculate(struct program *program, uint32_t op)
{
	const struct goal_op *what = &program->goal->ops[op];
	uint32_t rank = rank_of(program, op);
	int64_t *free_ticks = cpu_free(program, rank, what->cpu);
	int64_t ticks;

	if (__builtin_mul_overflow((int64_t)what->size, program->params.ns_ticks, &ticks)) {
		program->overflow = true;
		return;
	}
	*free_ticks = later(program, program->now_ticks, ticks);
	program->ranks[rank].sums.compute_ticks += ticks;
	begin_operations(program, op);
	operation_end(program, op, *free_ticks);
}

void operation_execute(struct program *program, uint32_t task)
{
	if (is_message(task)) {
		message_send_on(program, task & ~TASK_MESSAGE);
	} else if (program->goal->ops[task].kind == GOAL_CALC) {
		calculate(program, task);
	} else {
		begin_operations(program, task);
		message_send(program, task);
	}
}
