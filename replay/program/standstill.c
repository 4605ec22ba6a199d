// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that wait for one another: of what each stopped at first, whom it waits for.
#include <stdio.h>
#include <stdlib.h>

#include "program/state.h"
#include "program/verdict.h"

#define SHOWN_MAX 20u

struct halt {
	uint32_t line; // 0: the rank waits for nobody
	uint32_t rank; // for which it waits
	bool seen;
};

static void note(struct halt *halt, uint32_t line, uint32_t rank)
{
	if (halt->line == 0 || line < halt->line)
		*halt = (struct halt){.line = line, .rank = rank};
}

static void find_halts(const struct program *program, struct halt *halts)
{
	const struct goal_program *goal = program->goal;

	for (uint32_t op = 0; op < goal->op_count; op++)
		if (program->ops.state[op] == OP_POSTED && goal->ops[op].peer != GOAL_ANY)
			note(&halts[rank_of(program, op)], goal->ops[op].line, goal->ops[op].peer);
	for (uint32_t i = 0; i < program->fresh_message; i++) {
		const struct message *message = &program->messages[i];

		if (message->send != NOTHING && message->stage == STAGE_REQUEST && message->recv == NOTHING && !message->lost)
			note(&halts[message->source], goal->ops[message->send].line, message->destination);
	}
}

static void describe(const struct program *program, const struct halt *halts, uint32_t first, char *line, size_t bytes)
{
	size_t used = (size_t)snprintf(line, bytes, "%s: ranks wait for one another:", program->goal->name);
	uint32_t shown = 0;
	uint32_t rank = first;

	do {
		if (used < bytes && ++shown <= SHOWN_MAX)
			used += (size_t)snprintf(line + used, bytes - used, "%s rank %u (line %u) for rank %u",
						 shown > 1 ? "," : "", rank, halts[rank].line, halts[rank].rank);
		rank = halts[rank].rank;
	} while (rank != first);
	if (used < bytes && shown > SHOWN_MAX)
		snprintf(line + used, bytes - used, " and so on");
}

// From rank to rank, until one waits for nobody or was seen before: on this walk it is one of a circle.
static bool walk(struct halt *halts, uint32_t *rank)
{
	uint32_t start = *rank;
	uint32_t steps = 0;

	for (; halts[*rank].line > 0 && !halts[*rank].seen; steps++) {
		halts[*rank].seen = true;
		*rank = halts[*rank].rank;
	}
	if (halts[*rank].line == 0)
		return false;
	// Whether the walk itself came there before its end.
	for (uint32_t i = 0; i < steps; i++, start = halts[start].rank)
		if (start == *rank)
			return true;
	return false;
}

size_t program_standstills(const struct program *program, void (*tell)(void *context, const char *line), void *context)
{
	struct halt *halts;
	size_t circles = 0;
	char line[2048];

	if (program->totals.lost_worms > 0) // they may wait for what was lost
		return 0;
	halts = calloc(program->goal->ranks, sizeof(*halts));
	if (!halts)
		return 0;
	find_halts(program, halts);
	for (uint32_t start = 0; start < program->goal->ranks; start++) {
		uint32_t rank = start;

		if (!walk(halts, &rank) || circles++ >= PROGRAM_VERDICT_LINES)
			continue;
		describe(program, halts, rank, line, sizeof(line));
		tell(context, line);
	}
	free(halts);
	return circles;
}
