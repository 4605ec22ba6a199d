// SPDX-License-Identifier: GPL-3.0-or-later
// Circles among the needs of a rank, by taking away what can be done until nothing is left (Kahn, 1962).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/state.h"
#include "program/verdict.h"

#define SHOWN_MAX 20u

struct search {
	const struct program *program;
	uint32_t *waits; // needs of each operation on those not taken away
	uint32_t *queue;
	uint32_t *before; // one of these, for each that is left
};

static void take_away(struct search *search)
{
	const struct goal_program *goal = search->program->goal;
	const struct op_arrays *ops = &search->program->ops;
	uint32_t head = 0;
	uint32_t tail = 0;

	for (uint32_t i = 0; i < goal->need_count; i++)
		search->waits[goal->needs[i].op]++;
	for (uint32_t op = 0; op < goal->op_count; op++)
		if (search->waits[op] == 0)
			search->queue[tail++] = op;
	while (head < tail) {
		uint32_t op = search->queue[head++];

		for (uint32_t i = ops->first_after[op]; i < ops->first_after[op + 1]; i++)
			if (--search->waits[ops->after[i] / 2] == 0)
				search->queue[tail++] = ops->after[i] / 2;
	}
	for (uint32_t i = 0; i < goal->need_count; i++)
		if (search->waits[goal->needs[i].after] > 0)
			search->before[goal->needs[i].op] = goal->needs[i].after;
}

// Of what is left, whoever walks from need to need comes into a circle.
static void describe(const struct search *search, uint32_t rank, uint32_t op, char *line, size_t bytes)
{
	const struct goal_program *goal = search->program->goal;
	size_t used;
	uint32_t shown = 0;
	uint32_t start;

	for (uint32_t i = 0; i < goal->first[rank + 1] - goal->first[rank]; i++)
		op = search->before[op];
	used = (size_t)snprintf(line, bytes, "%s: rank %u waits for itself: line %u", goal->name, rank, goal->ops[op].line);
	start = op;
	do {
		op = search->before[op];
		if (used < bytes && ++shown <= SHOWN_MAX)
			used += (size_t)snprintf(line + used, bytes - used, " after line %u", goal->ops[op].line);
	} while (op != start);
	if (used < bytes && shown > SHOWN_MAX)
		snprintf(line + used, bytes - used, " and others");
}

static size_t tell_circles(const struct search *search, void (*tell)(void *context, const char *line), void *context)
{
	const struct goal_program *goal = search->program->goal;
	size_t circles = 0;
	char line[1024];

	for (uint32_t rank = 0; rank < goal->ranks; rank++) {
		uint32_t op = goal->first[rank];

		while (op < goal->first[rank + 1] && search->waits[op] == 0)
			op++;
		if (op == goal->first[rank + 1])
			continue;
		if (circles++ >= PROGRAM_VERDICT_LINES)
			continue;
		describe(search, rank, op, line, sizeof(line));
		tell(context, line);
	}
	return circles;
}

size_t program_circles(const struct program *program, void (*tell)(void *context, const char *line), void *context)
{
	size_t count = (size_t)program->goal->op_count + 1;
	struct search search = {.program = program,
				.waits = calloc(count, sizeof(uint32_t)),
				.queue = calloc(count, sizeof(uint32_t)),
				.before = calloc(count, sizeof(uint32_t))};
	size_t circles = SIZE_MAX;

	if (search.waits && search.queue && search.before) {
		take_away(&search);
		circles = tell_circles(&search, tell, context);
	}
	free(search.waits);
	free(search.queue);
	free(search.before);
	return circles;
}
