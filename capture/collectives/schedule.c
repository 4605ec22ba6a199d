// SPDX-License-Identifier: GPL-3.0-or-later
#include "collectives/schedule.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "collectives/collective.h"
#include "value/grow.h"
#include "value/order.h"

static const struct program_kind *const kinds[] = {
	&program_allgather, &program_allreduce,	     &program_alltoall,
	&program_barrier,   &program_broadcast,	     &program_gather,
	&program_reduce,    &program_reduce_scatter, &program_scatter};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

const struct program_kind *schedule_kind(const char *text)
{
	const size_t length = strcspn(text, ":");

	for (size_t i = 0; i < KINDS; i++)
		if (strlen(kinds[i]->name) == length && strncmp(kinds[i]->name, text, length) == 0)
			return kinds[i];
	return NULL;
}

// Reads the operation for so many ranks and bytes.
enum tr_status schedule_state(const char *text, uint32_t ranks, uint64_t bytes, void *state,
			      struct tr_error *err)
{
	char all[PROGRAM_ARGS_BYTES];

	if (strlen(text) > PROGRAM_ARGS_BYTES / 2)
		return tr_fail(err, "%.40s...: more than %u characters", text,
			       PROGRAM_ARGS_BYTES / 2);
	(void)snprintf(all, sizeof(all), "%s%sranks=%u,bytes=%lluB", text,
		       strchr(text, ':') ? "," : ":", ranks, (unsigned long long)bytes);
	return program_kind_take(schedule_kind(text), all, state, err);
}

// ---- The messages of an algorithm: both ends are gathered rank by rank, paired, and put in turns.

struct schedule_end {
	struct schedule_message of; // a send's blocks and bytes
	uint32_t rank, step;	    // of the rank; its messages of one step are at once
	uint32_t message;	    // of a send its own number, of a receive that of the send
	bool sends;
};

struct schedule_ends {
	struct schedule_end *items;
	size_t count, capacity, most;
	bool no_memory;
};

static void schedule_note(void *context, const struct sequence_message *message)
{
	struct schedule_ends *ends = context;
	const bool sends = message->op->kind == GOAL_SEND;

	if (ends->count > ends->most || ends->no_memory)
		return;
	ends->no_memory = !GROW(ends->items, ends->capacity, ends->count);
	if (ends->no_memory)
		return;
	ends->items[ends->count++] = (struct schedule_end){
		.of = {.src = sends ? message->rank : message->op->peer,
		       .dst = sends ? message->op->peer : message->rank,
		       .bytes = message->op->size,
		       .blocks = *message->blocks},
		.rank = message->rank,
		.step = message->step,
		.sends = sends};
}

static enum tr_status schedule_gather(const char *text, uint32_t ranks, uint64_t bytes,
				      struct schedule_ends *ends, uint32_t *parts,
				      struct tr_error *err)
{
	alignas(max_align_t) unsigned char state[PROGRAM_STATE_BYTES] = {0};
	const struct sequence_watch watch = {schedule_note, ends};
	struct sequence sequence = {.cost = {{0, 1}, {0, 1}}, .watch = &watch};

	if (schedule_state(text, ranks, bytes, state, err) != TR_OK)
		return TR_ERROR;
	*parts = ((const struct collective *)(const void *)state)->parts;
	goal_write_start(&sequence.writer, NULL, ranks);
	for (uint32_t rank = 0; rank < ranks && ends->count <= ends->most && !ends->no_memory;
	     rank++) {
		sequence_rank(&sequence);
		schedule_kind(text)->rank(state, &sequence, rank);
	}
	if (ends->no_memory)
		return tr_no_memory(err, "%zu messages", ends->count);
	return ends->count > ends->most ? TR_END : TR_OK;
}

// By source and destination, sends and receives alike, in the order in which they are called.
static int schedule_by_pair(const void *a, const void *b)
{
	const struct schedule_end *x = *(struct schedule_end *const *)a,
				  *y = *(struct schedule_end *const *)b;

	ORDER_BY(x->of.src, y->of.src);
	ORDER_BY(x->of.dst, y->of.dst);
	ORDER_BY(y->sends, x->sends);
	return ORDER(x, y);
}

// Numbers the messages at both ends: of a pair of ranks, the k-th receive gets the k-th send.
// False: out of memory.
static bool schedule_pair(struct schedule_ends *ends)
{
	struct schedule_end **sorted = calloc(ends->count + 1, sizeof(*sorted));
	uint32_t number = 0;

	if (!sorted)
		return false;
	for (size_t i = 0; i < ends->count; i++)
		sorted[i] = &ends->items[i];
	qsort(sorted, ends->count, sizeof(*sorted), schedule_by_pair);
	for (size_t first = 0, half; first < ends->count; first += 2 * half) {
		for (half = 0; first + half < ends->count && sorted[first + half]->sends;) {
			const struct schedule_message *send = &sorted[first + half]->of,
						      *begin = &sorted[first]->of;

			if (send->src != begin->src || send->dst != begin->dst)
				break;
			half++;
		}
		for (size_t i = 0; i < half; i++)
			sorted[first + i]->message = sorted[first + half + i]->message = number++;
	}
	free(sorted);
	return true;
}

// Ranks as they go through their steps: at[r] is the end that rank r has come to, turn[r] the turn
// of that step.
struct schedule_turns {
	const struct schedule_ends *ends;
	size_t *first, *at; // by rank; first[ranks] is the number of ends
	uint32_t *turn;	    // by rank
	uint32_t *of;	    // by message; UINT32_MAX: none of its ends has been reached
	uint8_t *reached;   // by message: how many ends
	uint32_t ranks;
};

static size_t schedule_step_end(const struct schedule_turns *turns, uint32_t rank, size_t from)
{
	size_t end = from;

	while (end < turns->first[rank + 1] &&
	       turns->ends->items[end].step == turns->ends->items[from].step)
		end++;
	return end;
}

// A rank comes to its next step: its messages are not before the rank's turn.
static void schedule_reach(struct schedule_turns *turns, uint32_t rank)
{
	const size_t end = schedule_step_end(turns, rank, turns->at[rank]);

	for (size_t i = turns->at[rank]; i < end; i++) {
		const uint32_t m = turns->ends->items[i].message;

		turns->of[m] = turns->reached[m]++ == 0 || turns->of[m] < turns->turn[rank]
				       ? turns->turn[rank]
				       : turns->of[m];
	}
}

// Goes on to the next step if both ends of all messages of the present one are reached; in need,
// past what it only sends.
static bool schedule_pass(struct schedule_turns *turns, uint32_t rank, bool need)
{
	const size_t end = schedule_step_end(turns, rank, turns->at[rank]);
	uint32_t last = turns->turn[rank];

	if (turns->at[rank] == turns->first[rank + 1])
		return false;
	for (size_t i = turns->at[rank]; i < end; i++) {
		const struct schedule_end *own = &turns->ends->items[i];

		if (turns->reached[own->message] < 2 && !(need && own->sends))
			return false;
		last = turns->of[own->message] > last ? turns->of[own->message] : last;
	}
	turns->at[rank] = end;
	turns->turn[rank] = last + 1;
	if (end < turns->first[rank + 1])
		schedule_reach(turns, rank);
	return true;
}

// The turn of each message: after those of all earlier steps of both ranks.
static void schedule_take_turns(struct schedule_turns *turns)
{
	bool moved = true;

	for (uint32_t r = 0; r < turns->ranks; r++)
		if (turns->at[r] < turns->first[r + 1])
			schedule_reach(turns, r);
	while (moved) {
		moved = false;
		for (uint32_t r = 0; r < turns->ranks; r++)
			moved |= schedule_pass(turns, r, false);
		for (uint32_t r = 0; !moved && r < turns->ranks; r++)
			moved = schedule_pass(turns, r, true);
	}
}

static int schedule_by_turn(const void *a, const void *b)
{
	const struct schedule_message *x = a, *y = b;

	ORDER_BY(x->turn, y->turn);
	ORDER_BY(x->src, y->src);
	return ORDER(x->dst, y->dst);
}

static void schedule_list(struct schedule *out, const struct schedule_turns *turns)
{
	for (size_t i = 0; i < turns->ends->count; i++) {
		const struct schedule_end *send = &turns->ends->items[i];
		const uint32_t turn = turns->of[send->message];

		if (!send->sends)
			continue;
		out->list[out->count] = send->of;
		out->list[out->count++].turn = turn;
		out->turns = turn < out->turns ? out->turns : turn + 1;
	}
	qsort(out->list, out->count, sizeof(*out->list), schedule_by_turn);
}

static enum tr_status schedule_turn(struct schedule *out, struct schedule_ends *ends,
				    uint32_t ranks, struct tr_error *err)
{
	struct schedule_turns turns = {.ends = ends,
				       .ranks = ranks,
				       .first = calloc((size_t)ranks + 1, sizeof(*turns.first)),
				       .at = calloc((size_t)ranks + 1, sizeof(*turns.at)),
				       .turn = calloc((size_t)ranks + 1, sizeof(*turns.turn)),
				       .of = calloc(ends->count + 1, sizeof(*turns.of)),
				       .reached = calloc(ends->count + 1, sizeof(*turns.reached))};
	enum tr_status status = TR_OK;

	out->list = calloc(ends->count / 2 + 1, sizeof(*out->list));
	if (!turns.first || !turns.at || !turns.turn || !turns.of || !turns.reached || !out->list ||
	    !schedule_pair(ends)) {
		status = tr_no_memory(err, "%zu messages", ends->count);
	} else {
		for (size_t i = 0; i < ends->count; i++)
			turns.first[ends->items[i].rank + 1] = i + 1;
		for (uint32_t r = 0; r < ranks; r++) {
			turns.first[r + 1] = turns.first[r + 1] ? turns.first[r + 1]
								: turns.first[r];
			turns.at[r] = turns.first[r];
		}
		schedule_take_turns(&turns);
		schedule_list(out, &turns);
	}
	free(turns.first);
	free(turns.at);
	free(turns.turn);
	free(turns.of);
	free(turns.reached);
	return status;
}

enum tr_status schedule_make(struct schedule *out, const char *text, uint32_t ranks, uint64_t bytes,
			     size_t most, struct tr_error *err)
{
	struct schedule_ends ends = {.most = most <= SIZE_MAX / 2 ? 2 * most : SIZE_MAX};
	enum tr_status status;

	*out = (struct schedule){.list = NULL};
	status = schedule_gather(text, ranks, bytes, &ends, &out->parts, err);
	if (status == TR_OK)
		status = schedule_turn(out, &ends, ranks, err);
	free(ends.items);
	return status;
}

void schedule_clear(struct schedule *schedule)
{
	free(schedule->list);
	*schedule = (struct schedule){.list = NULL};
}
