// SPDX-License-Identifier: GPL-3.0-or-later
// The flows of a program's ranks, made and freed: sorted by rank, then by peer.
#include "program/tcp.h"
#include "value/order.h"

#include <stdlib.h>

#define FLOWS_MAX ((uint64_t)1 << 26)

static const struct chain no_chain = {NOTHING, NOTHING};

static uint64_t pair(uint32_t from, uint32_t to)
{
	return (uint64_t)from << 32 | to;
}

// All pairs of ranks of one job, in order.
static void list_all(uint64_t *pairs, const struct goal_program *goal)
{
	for (uint32_t from = 0; from < goal->ranks; from++) {
		const uint32_t job = goal_job_of(goal, from);
		const uint32_t end = goal_job_first(goal, job + 1);

		for (uint32_t to = goal_job_first(goal, job); to < end; to++)
			if (from != to)
				*pairs++ = pair(from, to);
	}
}

static uint64_t count_all(const struct goal_program *goal)
{
	uint64_t count = 0;

	for (uint32_t job = 0; job < goal_job_count(goal); job++) {
		const uint64_t ranks = goal_job_first(goal, job + 1) - goal_job_first(goal, job);

		count += ranks * (ranks - 1);
	}
	return count;
}

static uint64_t list_sends(uint64_t *pairs, const struct goal_program *goal)
{
	uint64_t count = 0;

	for (uint32_t rank = 0; rank < goal->ranks; rank++)
		for (uint32_t op = goal->first[rank]; op < goal->first[rank + 1]; op++)
			if (goal->ops[op].kind == GOAL_SEND && goal->ops[op].peer != rank) {
				pairs[count++] = pair(rank, goal->ops[op].peer);
				pairs[count++] = pair(goal->ops[op].peer, rank);
			}
	return count;
}

// Both directions of each message, each pair once and sorted; returns how many.
static uint64_t list_used(uint64_t *pairs, const struct goal_program *goal)
{
	uint64_t count = list_sends(pairs, goal);
	uint64_t kept = 0;

	qsort(pairs, count, sizeof(*pairs), order_u64);
	for (uint64_t i = 0; i < count; i++)
		if (kept == 0 || pairs[i] != pairs[kept - 1])
			pairs[kept++] = pairs[i];
	return kept;
}

static void mpi_flows_fill(struct program *program, const uint64_t *pairs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		program->mpi.flows[i] = (struct flow){
			.from = (uint32_t)(pairs[i] >> 32),
			.to = (uint32_t)pairs[i],
			.messages = no_chain,
			.stage = program->params.mpi.connected ? FLOW_OPEN : FLOW_CLOSED};
		program->mpi.first_flow[program->mpi.flows[i].from + 1] = i + 1;
	}
	for (uint32_t rank = 0; rank < program->goal->ranks; rank++)
		if (program->mpi.first_flow[rank + 1] < program->mpi.first_flow[rank])
			program->mpi.first_flow[rank + 1] = program->mpi.first_flow[rank];
	for (uint32_t i = 0; i < count; i++)
		program->mpi.flows[i].back = flow_find(program, program->mpi.flows[i].to,
						       program->mpi.flows[i].from);
}

static void flows_layout(struct program *program, size_t count)
{
	struct mpi_state *mpi = &program->mpi;

	mpi->flows = sim_arena_fill(&mpi->arena, count + program->goal->ranks, sizeof(*mpi->flows));
	if (program->params.mpi.resends)
		tcp_layout(program, count + 1);
}

// Makes room for flows, all zero; false where memory runs out.
static bool flows_make_room(struct program *program, uint64_t count)
{
	if (count + program->goal->ranks > FLOWS_MAX)
		return false;
	flows_layout(program, count);
	if (sim_arena_open(&program->mpi.arena, NULL) != TR_OK)
		return false;
	flows_layout(program, count);
	return true;
}

enum tr_status flows_open(struct program *program, struct tr_error *err)
{
	uint32_t ranks = program->goal->ranks;
	bool all = program->params.mpi.connects_first;
	uint64_t count = all ? count_all(program->goal)
			     : 2 * (uint64_t)program->pool.message_capacity;
	uint64_t *pairs;

	if (all && count + ranks > FLOWS_MAX)
		return tr_fail(err, "%s: %u ranks are too many to connect each with all",
			       program->goal->name, ranks);
	pairs = calloc(count + 1, sizeof(*pairs));
	program->mpi.first_flow = calloc((size_t)ranks + 1, sizeof(*program->mpi.first_flow));
	if (pairs && all)
		list_all(pairs, program->goal);
	else if (pairs)
		count = list_used(pairs, program->goal);
	if (pairs && program->mpi.first_flow && flows_make_room(program, count)) {
		mpi_flows_fill(program, pairs, (uint32_t)count);
		program->mpi.flow_count = (uint32_t)count;
		free(pairs);
		tcp_open(program);
		return TR_OK;
	}
	free(pairs);
	return tr_no_memory(err, "%llu connections of %s", (unsigned long long)count / 2,
			    program->goal->name);
}

void flows_close(struct program *program)
{
	tcp_close(program);
	sim_arena_close(&program->mpi.arena);
	free(program->mpi.first_flow);
}
