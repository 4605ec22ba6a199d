// SPDX-License-Identifier: GPL-3.0-or-later
// What a run has left: receives without a message, messages without a receive.
#include <stdio.h>

#include "program/state.h"
#include "program/verdict.h"

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

static void put_place(char *out, size_t bytes, uint32_t number)
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

	put_place(source, sizeof(source), recv->peer);
	put_place(tag, sizeof(tag), recv->tag);
	snprintf(line, sizeof(line), "%s:%u: rank %u receives from %s with tag %s, and no such message came",
		 program->goal->name, recv->line, rank_of(program, op), source, tag);
	tell_line(telling, line);
}

static const char *fate_of(const struct message *message)
{
	if (message->lost)
		return "a worm of it was dropped";
	if (message->left_bytes > 0 || message->worms_left > 0)
		return "it is still under way";
	return "nobody received it";
}

static void tell_message(const struct program *program, const struct message *message, struct telling *telling)
{
	const struct goal_op *send = &program->goal->ops[message->send];
	char line[512];

	snprintf(line, sizeof(line), "%s:%u: rank %u sends to %u with tag %u, and %s", program->goal->name, send->line,
		 message->source, message->destination, send->tag, fate_of(message));
	tell_line(telling, line);
}

size_t program_leftovers(const struct program *program, void (*tell)(void *context, const char *line), void *context)
{
	struct telling telling = {tell, context, 0};

	for (uint32_t op = 0; op < program->goal->op_count; op++)
		if (program->ops.state[op] == OP_POSTED)
			tell_receive(program, op, &telling);
	for (uint32_t i = 0; i < program->fresh_message; i++)
		if (program->messages[i].send != NOTHING)
			tell_message(program, &program->messages[i], &telling);
	return telling.count;
}
