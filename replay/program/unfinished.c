// SPDX-License-Identifier: GPL-3.0-or-later
// Why a program cannot finish.
#include "program/divided.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/program.h"

#define SHOWN_MAX 20u

// Cycles among the dependencies of a rank, by removing what can be done until nothing is left
// (Kahn, 1962).
struct unfinished_search {
	const struct program *program;
	uint32_t *waits; // dependencies of each operation on remaining ones
	uint32_t *queue;
	uint32_t *before; // one of these dependencies, for each remaining operation
};

static void take_away(struct unfinished_search *search)
{
	const struct goal_program *goal = search->program->goal;
	const struct operations *ops = &search->program->ops;
	uint32_t head = 0;
	uint32_t tail = 0;

	for (uint32_t i = 0; i < goal->need_count; i++)
		search->waits[goal->needs[i].op]++;
	for (uint32_t op = 0; op < goal->op_count; op++)
		if (search->waits[op] == 0)
			search->queue[tail++] = op;
	while (head < tail) {
		uint32_t op = search->queue[head++];

		for (uint32_t i = ops->all[op].first_after; i < ops->all[op + 1].first_after; i++)
			if (--search->waits[ops->after[i] / 2] == 0)
				search->queue[tail++] = ops->after[i] / 2;
	}
	for (uint32_t i = 0; i < goal->need_count; i++)
		if (search->waits[goal->needs[i].after] > 0)
			search->before[goal->needs[i].op] = goal->needs[i].after;
}

// A walk along dependencies among the remaining operations ends in a cycle.
static void describe_needs(const struct unfinished_search *search, uint32_t rank, uint32_t op,
			   char *line, size_t bytes)
{
	const struct goal_program *goal = search->program->goal;
	size_t used;
	uint32_t shown = 0;
	uint32_t start;

	for (uint32_t i = 0; i < goal->first[rank + 1] - goal->first[rank]; i++)
		op = search->before[op];
	used = (size_t)snprintf(line, bytes, "%s: rank %u waits for itself: line %u",
				goal_name_of(goal, rank), rank, goal->ops[op].line);
	start = op;
	do {
		op = search->before[op];
		if (used < bytes && ++shown <= SHOWN_MAX)
			used += (size_t)snprintf(line + used, bytes - used, " after line %u",
						 goal->ops[op].line);
	} while (op != start);
	if (used < bytes && shown > SHOWN_MAX)
		snprintf(line + used, bytes - used, " and others");
}

static size_t tell_cycles(const struct unfinished_search *search,
			  void (*tell)(void *context, const char *line), void *context)
{
	const struct goal_program *goal = search->program->goal;
	size_t cycles = 0;
	char line[1024];

	for (uint32_t rank = 0; rank < goal->ranks; rank++) {
		uint32_t op = goal->first[rank];

		while (op < goal->first[rank + 1] && search->waits[op] == 0)
			op++;
		if (op == goal->first[rank + 1])
			continue;
		if (cycles++ >= PROGRAM_VERDICT_LINES)
			continue;
		describe_needs(search, rank, op, line, sizeof(line));
		tell(context, line);
	}
	return cycles;
}

size_t program_cycles(const struct program *program, void (*tell)(void *context, const char *line),
		      void *context)
{
	size_t count = (size_t)program->goal->op_count + 1;
	struct unfinished_search search = {.program = program,
					   .waits = calloc(count, sizeof(uint32_t)),
					   .queue = calloc(count, sizeof(uint32_t)),
					   .before = calloc(count, sizeof(uint32_t))};
	size_t cycles = SIZE_MAX;

	if (search.waits && search.queue && search.before) {
		take_away(&search);
		cycles = tell_cycles(&search, tell, context);
	}
	free(search.waits);
	free(search.queue);
	free(search.before);
	return cycles;
}

// Leftovers of a run: receives without a message, messages without a receive.
struct telling {
	void (*tell)(void *context, const char *line);
	void *context;
	size_t count;
};

static void tell_line(struct telling *telling, const char *line)
{
	if (telling->count++ < PROGRAM_VERDICT_LINES)
		telling->tell(telling->context, line);
}

static void unfinished_put_place(char *out, size_t bytes, uint32_t number)
{
	if (number == GOAL_ANY)
		snprintf(out, bytes, "any");
	else
		snprintf(out, bytes, "%u", number);
}

static void tell_receive(const struct program *program, uint32_t op, struct telling *telling)
{
	const struct goal_op *recv = &program->goal->ops[op];
	char source[16];
	char tag[16];
	char line[512];

	unfinished_put_place(source, sizeof(source), recv->peer);
	unfinished_put_place(tag, sizeof(tag), recv->tag);
	snprintf(line, sizeof(line),
		 "%s:%u: rank %u receives from %s with tag %s, but no such message came",
		 goal_name_of(program->goal, rank_of(program, op)), recv->line,
		 rank_of(program, op), source, tag);
	tell_line(telling, line);
}

static const char *fate_of(const struct message *message)
{
	if (message->lost)
		return "a worm of it was dropped";
	if (message->worms_due > 0)
		return "it is still under way";
	return "nobody received it";
}

static void tell_message(const struct program *program, const struct message *message,
			 struct telling *telling)
{
	const struct goal_op *send = &program->goal->ops[message->send];
	char line[512];

	snprintf(line, sizeof(line), "%s:%u: rank %u sends to %u with tag %u, and %s",
		 goal_name_of(program->goal, message->source), send->line, message->source,
		 message->destination, send->tag, fate_of(message));
	tell_line(telling, line);
}

static int unfinished_by_send(const void *a, const void *b)
{
	const struct message *const *x = a, *const *y = b;

	return (*x)->send < (*y)->send ? -1 : (*x)->send > (*y)->send;
}

static size_t unfinished_add(const struct program *program, uint32_t first, uint32_t end,
			     const struct message **out, size_t count)
{
	for (uint32_t i = first; i < end; i++) {
		const struct message *message = &program->pool.messages[i];

		if (message->send != NOTHING && out)
			out[count] = message;
		count += message->send != NOTHING;
	}
	return count;
}

// Writes the messages that were sent and not received, unless out is NULL. Returns how many there
// are. The numbers of a divided program's messages have gaps.
static size_t list_messages(const struct program *program, const struct message **out)
{
	const struct parts *parts = program->parts;
	const uint32_t end = parts ? parts->all[0].first_message : program->pool.fresh_message;
	size_t count = unfinished_add(program, 0, end, out, 0);

	for (uint32_t i = 0; parts && i < parts->count; i++)
		count = unfinished_add(program, parts->all[i].first_message,
				       parts_numbers_end(program, i), out, count);
	return count;
}

// The same in the order of their sends, freed by the caller; NULL if out of memory.
static const struct message **unfinished_messages(const struct program *program, size_t *count)
{
	const struct message **messages;

	*count = list_messages(program, NULL);
	messages = calloc(*count + 1, sizeof(*messages));
	if (!messages)
		return NULL;
	list_messages(program, messages);
	qsort(messages, *count, sizeof(*messages), unfinished_by_send);
	return messages;
}

size_t program_leftovers(const struct program *program,
			 void (*tell)(void *context, const char *line), void *context)
{
	struct telling telling = {tell, context, 0};
	size_t count;
	const struct message **messages = unfinished_messages(program, &count);

	for (uint32_t op = 0; op < program->goal->op_count; op++)
		if (program->ops.all[op].state == OP_POSTED)
			tell_receive(program, op, &telling);
	for (size_t i = 0; messages && i < count; i++)
		tell_message(program, messages[i], &telling);
	free(messages);
	return telling.count;
}

// Ranks waiting for one another: where each stopped first, and for whom it waits.
struct halt {
	uint32_t line;	// 0: the rank waits for no other
	uint32_t rank;	// for which it waits
	uint64_t bytes; // of a message that it asked to send; 0: it receives
	bool seen;
};

static void unfinished_note(struct halt *halt, uint32_t line, uint32_t rank, uint64_t bytes)
{
	if (halt->line == 0 || line < halt->line)
		*halt = (struct halt){.line = line, .rank = rank, .bytes = bytes};
}

static void find_halts(const struct program *program, struct halt *halts)
{
	const struct goal_program *goal = program->goal;
	size_t count;
	const struct message **messages = unfinished_messages(program, &count);

	for (uint32_t op = 0; op < goal->op_count; op++)
		if (program->ops.all[op].state == OP_POSTED && goal->ops[op].peer != GOAL_ANY)
			unfinished_note(&halts[rank_of(program, op)], goal->ops[op].line,
					goal->ops[op].peer, 0);
	for (size_t i = 0; messages && i < count; i++)
		if (messages[i]->stage == STAGE_REQUEST && messages[i]->recv == NOTHING &&
		    !messages[i]->lost)
			unfinished_note(&halts[messages[i]->source],
					goal->ops[messages[i]->send].line, messages[i]->destination,
					goal->ops[messages[i]->send].size);
	free(messages);
}

static void describe_halts(const struct program *program, const struct halt *halts, uint32_t first,
			   char *line, size_t bytes)
{
	size_t used = (size_t)snprintf(
		line, bytes, "%s: ranks wait for each other:", goal_name_of(program->goal, first));
	uint32_t shown = 0;
	uint32_t rank = first;
	uint64_t asked_bytes = 0;

	do {
		if (halts[rank].bytes > asked_bytes)
			asked_bytes = halts[rank].bytes;
		if (used < bytes && ++shown <= SHOWN_MAX)
			used += (size_t)snprintf(
				line + used, bytes - used, "%s rank %u (line %u) for rank %u",
				shown > 1 ? "," : "", rank, halts[rank].line, halts[rank].rank);
		rank = halts[rank].rank;
	} while (rank != first);
	if (used < bytes && shown > SHOWN_MAX)
		used += (size_t)snprintf(line + used, bytes - used, " and so on");
	if (used < bytes && asked_bytes > 0)
		snprintf(line + used, bytes - used,
			 "; sends of more than S wait for their receives: --loggops S=%lluB "
			 "would send these at once",
			 (unsigned long long)asked_bytes);
}

// Walks from rank to rank until one waits for no other or was seen before; if seen on this walk, it
// is in a cycle.
static bool unfinished_walk(struct halt *halts, uint32_t *rank)
{
	uint32_t start = *rank;
	uint32_t steps = 0;

	for (; halts[*rank].line > 0 && !halts[*rank].seen; steps++) {
		halts[*rank].seen = true;
		*rank = halts[*rank].rank;
	}
	if (halts[*rank].line == 0)
		return false;
	// Whether the walk itself reached it before its end.
	for (uint32_t i = 0; i < steps; i++, start = halts[start].rank)
		if (start == *rank)
			return true;
	return false;
}

size_t program_standstills(const struct program *program,
			   void (*tell)(void *context, const char *line), void *context)
{
	struct halt *halts;
	size_t cycles = 0;
	char line[2048];

	if (program->totals.lost_worms > 0) // they may wait for lost ones
		return 0;
	halts = calloc(program->goal->ranks, sizeof(*halts));
	if (!halts)
		return 0;
	find_halts(program, halts);
	for (uint32_t start = 0; start < program->goal->ranks; start++) {
		uint32_t rank = start;

		if (!unfinished_walk(halts, &rank) || cycles++ >= PROGRAM_VERDICT_LINES)
			continue;
		describe_halts(program, halts, rank, line, sizeof(line));
		tell(context, line);
	}
	free(halts);
	return cycles;
}
