// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/lineup.h"

#include "program/state.h"

#define LOOKS_MAX 4

static bool before(const struct message *a, const struct message *b)
{
	return a->due_ticks != b->due_ticks ? a->due_ticks < b->due_ticks : a->order < b->order;
}

bool lineup_add(struct program *program, struct lineup *lineup, uint32_t number)
{
	struct message *messages = program->messages;
	uint32_t elder = lineup->last;
	uint32_t younger = NOTHING;
	int looks = 0;

	for (; elder != NOTHING && before(&messages[number], &messages[elder]); elder = messages[elder].kept.elder) {
		if (++looks > LOOKS_MAX)
			return false;
		younger = elder;
	}
	messages[number].kept.elder = elder;
	messages[number].kept.younger = younger;
	if (elder == NOTHING)
		lineup->first = number;
	else
		messages[elder].kept.younger = number;
	if (younger == NOTHING)
		lineup->last = number;
	else
		messages[younger].kept.elder = number;
	return true;
}

uint32_t lineup_take(struct program *program, struct lineup *lineup)
{
	uint32_t number = lineup->first;

	lineup->first = program->messages[number].kept.younger;
	if (lineup->first == NOTHING)
		lineup->last = NOTHING;
	else
		program->messages[lineup->first].kept.elder = NOTHING;
	return number;
}
