// SPDX-License-Identifier: GPL-3.0-or-later
// Queues of a program: lists of messages that come nearly in order, and a sort.
#include "program/state.h"

#define LOOKS_MAX 4

static bool is_elder(const struct program *program, const struct message *a,
		     const struct message *b)
{
	return a->due_ticks != b->due_ticks
		       ? a->due_ticks < b->due_ticks
		       : order_now(program, a->order) < order_now(program, b->order);
}

bool lineup_add(struct program *program, struct lineup *lineup, uint32_t number)
{
	struct message *messages = program->pool.messages;
	uint32_t elder = lineup->last;
	uint32_t younger = NOTHING;
	int looks = 0;

	for (; elder != NOTHING && is_elder(program, &messages[number], &messages[elder]);
	     elder = messages[elder].kept.elder) {
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

	lineup->first = program->pool.messages[number].kept.younger;
	if (lineup->first == NOTHING)
		lineup->last = NOTHING;
	else
		program->pool.messages[lineup->first].kept.elder = NOTHING;
	return number;
}

// Merge sort of a linked list, bottom up.

#define RUNS_MAX 32

// Merges two sorted lists.
static uint32_t merge_lists(struct operation *operations, uint32_t a, uint32_t b)
{
	uint32_t first = NOTHING;
	uint32_t *end = &first;

	while (a != NOTHING && b != NOTHING) {
		uint32_t *least = a < b ? &a : &b;

		*end = *least;
		end = &operations[*least].next;
		*least = *end;
	}
	*end = a != NOTHING ? a : b;
	return first;
}

uint32_t order_sort(struct operation *operations, uint32_t first)
{
	uint32_t runs[RUNS_MAX]; // of 2^i operations, or none
	uint32_t sorted = NOTHING;

	for (int i = 0; i < RUNS_MAX; i++)
		runs[i] = NOTHING;
	while (first != NOTHING) {
		uint32_t run = first;
		int i = 0;

		first = operations[run].next;
		operations[run].next = NOTHING;
		for (; runs[i] != NOTHING; i++) {
			run = merge_lists(operations, runs[i], run);
			runs[i] = NOTHING;
		}
		runs[i] = run;
	}
	for (int i = 0; i < RUNS_MAX; i++)
		sorted = merge_lists(operations, runs[i], sorted);
	return sorted;
}
