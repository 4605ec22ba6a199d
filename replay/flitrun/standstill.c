// SPDX-License-Identifier: GPL-3.0-or-later
// What a rank that cannot go on waits for, in words.
#include <stdio.h>

#include "flitrun.h"

#define LINES 4u

static const char *standstill_name(uint32_t number, char *text, size_t text_bytes)
{
	if (number == GOAL_ANY)
		return "any";
	(void)snprintf(text, text_bytes, "%u", number);
	return text;
}

static int standstill_describe(const struct portion *portion, uint32_t op, bool begun, char *text,
			       size_t text_bytes)
{
	const struct goal_op *what = &portion->ops[op];
	const char *state = begun ? "waits" : "has not begun";
	char peer[16], tag[16];

	if (what->kind == GOAL_CALC)
		return snprintf(text, text_bytes, "rank %u, line %u: a computation %s\n",
				portion->rank, what->line, state);
	return snprintf(text, text_bytes, "rank %u, line %u: %s rank %s, tag %s, of %llu B %s\n",
			portion->rank, what->line,
			what->kind == GOAL_SEND ? "a send to" : "a receive from",
			standstill_name(what->peer, peer, sizeof(peer)),
			standstill_name(what->tag, tag, sizeof(tag)),
			(unsigned long long)what->size, state);
}

void portion_describe(const struct portion *portion, const struct executor *executor, char *text,
		      size_t text_bytes)
{
	size_t used = 0;
	unsigned lines = 0;

	*text = '\0';
	for (int begun = 1; begun >= 0 && lines == 0; begun--)
		for (uint32_t op = 0; op < portion->op_count && lines < LINES; op++) {
			int more;

			if (!executor_waits(executor, op, begun))
				continue;
			more = standstill_describe(portion, op, begun, text + used,
						   text_bytes - used);
			if (more < 0 || (size_t)more >= text_bytes - used) {
				text[used] = '\0';
				return;
			}
			used += (size_t)more;
			lines++;
		}
}
