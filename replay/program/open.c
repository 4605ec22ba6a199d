// SPDX-License-Identifier: GPL-3.0-or-later
// A run's memory, sized from the program and allocated at once.
#include <stdlib.h>
#include <string.h>

#include "program/mpi_flows.h"
#include "program/divided.h"
#include "program/program_jobs.h"
#include "program/repeat.h"

static const struct chain no_chain = {NOTHING, NOTHING};

static uint32_t count_sends(const struct goal_program *goal)
{
	uint32_t sends = 0;

	for (uint32_t i = 0; i < goal->op_count; i++)
		sends += goal->ops[i].kind == GOAL_SEND;
	return sends;
}

static void layout_ops(struct program *program, struct sim_arena *arena)
{
	const struct goal_program *goal = program->goal;
	struct operations *ops = &program->ops;

	ops->all = sim_arena_grow(arena, (size_t)goal->op_count + 1, sizeof(*ops->all));
	ops->after = sim_arena_grow(arena, goal->need_count, sizeof(*ops->after));
}

static void open_layout(struct program *program)
{
	const struct goal_program *goal = program->goal;
	struct sim_arena *arena = &program->arena;
	size_t queues = (size_t)goal->ranks * program->processors.queues_per_rank;
	size_t cpus = (size_t)goal->ranks * goal->cpus;
	size_t nics = (size_t)goal->ranks * goal->nics;

	layout_ops(program, arena);
	program->ranks = sim_arena_take(arena, goal->ranks, sizeof(*program->ranks));
	program->processors.queues = sim_arena_take(arena, queues,
						    sizeof(*program->processors.queues));
	program->processors.cpu_free_ticks = sim_arena_take(arena, cpus, sizeof(int64_t));
	program->processors.send_free_ticks = sim_arena_take(arena, nics, sizeof(int64_t));
	program->processors.receive_free_ticks = sim_arena_take(arena, nics, sizeof(int64_t));
	program->pool.messages = sim_arena_grow(arena, program->pool.message_capacity,
						sizeof(*program->pool.messages));
	matching_layout(program, arena);
	if (program->params.keeps_path)
		path_layout(program, arena);
	// Each queue, operation and message has at most one entry, each rank and flow two, and a
	// flow NOTES for its notes.
	agenda_layout(&program->due.agenda, arena,
		      queues + goal->op_count + program->pool.message_capacity +
			      2 * ((size_t)goal->ranks + program->mpi.flow_count) +
			      (program->mpi.tcp ? (size_t)NOTES * program->mpi.flow_count : 0));
	if (program->mpi.tcp)
		sim_timers_layout(&program->mpi.timers, arena, program->mpi.flow_count);
}

// The successors of each operation, contiguous.
static void join_ops(struct program *program)
{
	const struct goal_program *goal = program->goal;
	struct operations *ops = &program->ops;

	for (uint32_t i = 0; i < goal->need_count; i++) {
		ops->all[goal->needs[i].after].first_after++;
		ops->all[goal->needs[i].op].waits++;
	}
	for (uint32_t i = 0, sum = 0; i <= goal->op_count; i++) {
		sum += ops->all[i].first_after;
		ops->all[i].first_after = sum;
	}
	// Backwards, so that they are in text order.
	for (uint32_t i = goal->need_count; i-- > 0;)
		ops->after[--ops->all[goal->needs[i].after].first_after] = 2 * goal->needs[i].op +
									   goal->needs[i].started;
}

static void open_fill(struct program *program)
{
	const struct goal_program *goal = program->goal;

	for (uint32_t rank = 0; rank < goal->ranks; rank++) {
		program->ranks[rank].outbox = no_chain;
		program->ranks[rank].noting = no_chain;
		program->ranks[rank].due_ticks = INT64_MIN / 2;
		program->ranks[rank].ops_left = goal->first[rank + 1] - goal->first[rank];
		if (program->params.mpi.on && program->params.mpi.connects_first)
			program->ranks[rank].greetings = job_ranks(program, rank) - 1;
		for (uint32_t op = goal->first[rank]; op < goal->first[rank + 1]; op++)
			program->ops.all[op].rank = rank;
	}
	for (size_t i = 0; i < (size_t)goal->ranks * program->processors.queues_per_rank; i++)
		program->processors.queues[i].tasks = no_chain;
	for (int turn = 0; turn < PROGRAM_TURNS; turn++)
		program->due.batch[turn] = no_chain;
	program->due.sending = no_chain;
	program->due.posts = no_chain;
	program->due.hands = (struct lineup){NOTHING, NOTHING};
	program->due.arrivals = (struct lineup){NOTHING, NOTHING};
	program->pool.free_message = NOTHING;
	join_ops(program);
	if (program->params.keeps_path)
		path_fill(program);
}

static enum tr_status open_check(const struct goal_program *goal,
				 const struct program_params *params, uint32_t hosts,
				 struct tr_error *err)
{
	uint64_t queues = (uint64_t)goal->ranks * goal->cpus * (1 + 2 * goal->nics);

	if (goal->ranks > hosts)
		return tr_fail(err, "%s: %u ranks, and the network has %u hosts", goal->name,
			       goal->ranks, hosts);
	if (queues > UINT32_MAX / 2)
		return tr_fail(err, "%s: too many processors and interfaces", goal->name);
	for (uint32_t i = 0; i < goal->op_count; i++)
		if (goal->ops[i].kind != GOAL_CALC &&
		    goal->ops[i].size / (params->mtu_bytes - params->mpi.header_bytes) >= INT32_MAX)
			return tr_fail(err, "%s:%u: a message of more than 2^31 worms",
				       goal_name_of(goal, goal_rank_of(goal, i)),
				       goal->ops[i].line);
	return TR_OK;
}

static enum tr_status open_take_memory(struct program *program, struct tr_error *err)
{
	open_layout(program);
	if (sim_arena_open(&program->arena, err) != TR_OK)
		return TR_ERROR;
	open_layout(program);
	open_fill(program);
	return TR_OK;
}

enum tr_status program_open(struct program **out, const struct goal_program *goal,
			    const struct program_params *params, uint32_t hosts,
			    const uint32_t *host_of, const struct program_listener *listener,
			    struct tr_error *err)
{
	struct program *program;

	*out = NULL;
	if (open_check(goal, params, hosts, err) != TR_OK)
		return TR_ERROR;
	program = calloc(1, sizeof(*program));
	if (!program)
		return tr_no_memory(err, "the program");
	program->goal = goal;
	program->params = *params;
	program->listener = *listener;
	program->host_of = host_of;
	tr_random_open(&program->mpi.random, params->mpi.seed, "program/mpi");
	program->processors.queues_per_rank = goal->cpus * (1 + 2 * goal->nics);
	program->pool.message_capacity = program->pool.fresh_end = count_sends(goal);
	if ((program->params.mpi.on && flows_open(program, err) != TR_OK) ||
	    open_take_memory(program, err) != TR_OK || jobs_open(program, err) != TR_OK ||
	    (params->repeats && repeat_open(program, err) != TR_OK)) {
		program_close(program);
		return TR_ERROR;
	}
	operations_begin(program);
	*out = program;
	return TR_OK;
}

const struct program_rank *program_rank(const struct program *program, uint32_t rank)
{
	return &program->ranks[rank].sums;
}

bool program_rank_ended(const struct program *program, uint32_t rank)
{
	const uint32_t *first = &program->goal->first[rank];

	for (uint32_t op = first[0]; op < first[1]; op++)
		if (program->ops.all[op].state != OP_ENDED)
			return false;
	return true;
}

double program_part(const struct program *program)
{
	return program->goal->op_count ? (double)program->totals.ended / program->goal->op_count
				       : 1;
}

void program_totals(const struct program *program, struct program_totals *out)
{
	*out = program->totals;
	out->operations = program->goal->op_count;
	for (uint32_t rank = 0; rank < program->goal->ranks; rank++) {
		int64_t finish = program->ranks[rank].sums.finish_ticks;

		if (finish <= out->finish_ticks)
			continue;
		out->finish_ticks = finish;
		out->finish_rank = rank;
	}
}

void program_close(struct program *program)
{
	if (!program)
		return;
	parts_close(program);
	free(program->due.jobs);
	repeat_close(program);
	flows_close(program);
	sim_arena_close(&program->arena);
	free(program);
}
