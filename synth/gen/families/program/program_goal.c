// SPDX-License-Identifier: GPL-3.0-or-later
// A parallel program's model as a program with dependencies (text/goal.h), for networks that delay
// its messages.
#include <stdlib.h>

#include "gen/families/program/program_plan.h"
#include "text/goal.h"

#define TICKS_PER_S 1000000000.0 // ns, as GOAL's

// Operations of the current rank.
struct goal_rank {
	struct goal_writer *writer;
	struct program_plan *plan;
	uint32_t *sends, *receives; // operation by message
	uint32_t gate;
	uint32_t *pending; // to be waited for by the next gate
	uint32_t pending_count;
	bool begun;
};

static uint32_t program_goal_compute(struct goal_rank *rank, int64_t ns)
{
	return goal_write_op(rank->writer,
			     &(struct goal_op){.kind = GOAL_CALC, .size = (uint64_t)ns});
}

// Computing that ends in the gate, after all that came before.
static void write_gate(struct goal_rank *rank, int64_t ns)
{
	const uint32_t gate = program_goal_compute(rank, ns);

	if (rank->begun)
		goal_write_need(rank->writer, gate, rank->gate, false);
	for (uint32_t i = 0; i < rank->pending_count; i++)
		goal_write_need(rank->writer, gate, rank->pending[i], false);
	rank->pending_count = 0;
	rank->gate = gate;
	rank->begun = true;
}

// The operation of this rank that a message waits for, as the plan numbers it.
static uint32_t waited_for(const struct goal_rank *rank, uint32_t wait, bool sent)
{
	if (wait < rank->plan->gate_count)
		return rank->gate;
	return (sent ? rank->sends : rank->receives)[wait - rank->plan->gate_count];
}

// The first operation of what the rank does to send the message waits for another one, and for what
// was received a window before.
static void write_needs(struct goal_rank *rank, uint32_t m, uint32_t op, uint32_t after)
{
	const uint32_t behind = rank->plan->waits[m].behind;

	goal_write_need(rank->writer, op, after, false);
	if (behind != PROGRAM_NONE)
		goal_write_need(rank->writer, op, waited_for(rank, behind, false), false);
}

static void write_send(struct goal_rank *rank, uint32_t m)
{
	const struct program_message *message = &rank->plan->list.messages[m];
	const struct program_waits *waits = &rank->plan->waits[m];
	const bool peer = waits->send >= rank->plan->gate_count &&
			  rank->plan->list.messages[waits->send - rank->plan->gate_count].src !=
				  message->src;
	const uint32_t after = waited_for(rank, waits->send, !peer);
	uint32_t computed = PROGRAM_NONE;

	if (waits->computes && waits->compute_ticks > 0) {
		computed = program_goal_compute(rank, waits->compute_ticks);
		write_needs(rank, m, computed, after);
	}
	rank->sends[m] = goal_write_op(
		rank->writer, &(struct goal_op){.kind = GOAL_SEND,
						.size = rank->plan->trains[message->train].bytes,
						.peer = message->dst,
						.tag = message->phase});
	if (computed != PROGRAM_NONE)
		goal_write_need(rank->writer, rank->sends[m], computed, false);
	else
		write_needs(rank, m, rank->sends[m], after);
	rank->pending[rank->pending_count++] = rank->sends[m];
}

static void write_receive(struct goal_rank *rank, uint32_t m)
{
	const struct program_message *message = &rank->plan->list.messages[m];
	const struct program_waits *waits = &rank->plan->waits[m];

	rank->receives[m] = goal_write_op(
		rank->writer, &(struct goal_op){.kind = GOAL_RECV,
						.size = rank->plan->trains[message->train].bytes,
						.peer = message->src,
						.tag = message->phase});
	goal_write_need(rank->writer, rank->receives[m],
			waits->receive == PROGRAM_NONE ? rank->gate
						       : waited_for(rank, waits->receive, false),
			false);
	rank->pending[rank->pending_count++] = rank->receives[m];
}

static void write_iteration(struct goal_rank *rank, uint32_t number, int64_t silence_ns)
{
	struct program_plan *plan = rank->plan;
	const struct program_gate *last = &plan->gates[plan->first_gate[number + 1] - 1];

	program_plan_draw(plan, number);
	for (uint32_t g = plan->first_gate[number]; g + 1 < plan->first_gate[number + 1]; g++) {
		const struct program_gate *gate = &plan->gates[g];

		write_gate(rank, gate->compute_ticks + (gate->begins ? silence_ns : 0));
		for (uint32_t i = gate->first; i < gate->end; i++)
			(plan->ops[i].sends ? write_send : write_receive)(rank,
									  plan->ops[i].message);
	}
	if (last->also)
		write_gate(rank, last->compute_ticks);
}

static enum tr_status program_goal_write_ranks(struct program_plan *plan, uint64_t iterations,
					       FILE *out, struct tr_error *err)
{
	const struct tr_random silences = plan->silences;
	struct goal_writer writer;
	struct goal_rank rank = {
		.writer = &writer,
		.plan = plan,
		.sends = calloc(plan->list.count, sizeof(*rank.sends)),
		.receives = calloc(plan->list.count, sizeof(*rank.receives)),
		.pending = calloc(2 * (size_t)plan->list.count, sizeof(*rank.pending))};
	const bool enough = rank.sends && rank.receives && rank.pending;

	if (enough) {
		goal_write_start(&writer, out, plan->nodes);
		for (uint32_t r = 0; r < plan->nodes && !ferror(out); r++) {
			goal_write_rank(&writer);
			plan->silences = silences;
			rank.begun = false;
			rank.pending_count = 0;
			for (uint64_t i = 0; i < iterations && !ferror(out); i++)
				write_iteration(&rank, r, i > 0 ? program_plan_silence(plan) : 0);
		}
		goal_write_end(&writer);
	}
	free(rank.sends);
	free(rank.receives);
	free(rank.pending);
	return enough ? TR_OK : tr_no_memory(err, "%u messages", plan->list.count);
}

enum tr_status program_write_goal(const struct model *text, uint64_t nodes, uint64_t seed,
				  FILE *out, struct tr_error *err)
{
	struct program_model model;
	struct program_plan plan = {.model = NULL};
	enum tr_status status;

	if (program_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	if (nodes == 1 || nodes > PROGRAM_NODES_MAX)
		status = tr_fail(err, "expected 2 to %u nodes", PROGRAM_NODES_MAX);
	else if (model.iterations == 0)
		status = model_fail(text, NULL, err, "a program needs the key iterations");
	else
		status = program_plan_make(&plan, &model, (uint32_t)(nodes ? nodes : model.nodes),
					   TICKS_PER_S, seed, err);
	if (status == TR_OK && 4.0 * (double)model.iterations * plan.list.count > GOAL_OPS_MAX)
		status = tr_fail(err, "a program of %llu iterations of %u messages is too long",
				 (unsigned long long)model.iterations, plan.list.count);
	if (status == TR_OK)
		status = program_goal_write_ranks(&plan, model.iterations, out, err);
	program_plan_clear(&plan);
	program_model_clear(&model);
	return status;
}
