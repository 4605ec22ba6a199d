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

// Lists the messages and numbers both ends: of a pair of ranks, which send and receive as many, the
// k-th receive gets the k-th send. False: out of memory.
static bool schedule_pair(struct schedule *out, struct schedule_ends *ends)
{
	struct schedule_end **sorted = calloc(ends->count + 1, sizeof(*sorted));

	out->list = calloc(ends->count / 2 + 1, sizeof(*out->list));
	for (size_t i = 0; i < ends->count && sorted; i++)
		sorted[i] = &ends->items[i];
	if (sorted && out->list)
		qsort(sorted, ends->count, sizeof(*sorted), schedule_by_pair);
	for (size_t first = 0, end; first < ends->count && sorted && out->list; first = end) {
		const struct schedule_message *pair = &sorted[first]->of;

		for (end = first; end < ends->count && sorted[end]->of.src == pair->src &&
				  sorted[end]->of.dst == pair->dst;)
			end++;
		for (size_t i = first; i < end; i++) {
			sorted[i]->message = (uint32_t)(first / 2 +
							(i - first) % ((end - first) / 2));
			if (sorted[i]->sends)
				out->list[sorted[i]->message] = sorted[i]->of;
		}
	}
	out->count = ends->count / 2;
	free(sorted);
	return sorted && out->list;
}

// Ranks as they go through their steps.
struct schedule_turns {
	const struct schedule_end *ends;
	struct schedule_message *list; // turn: the last of the ends that are reached
	uint8_t *reached;	       // of each message: how many ends
	struct schedule_rank {
		size_t at, end; // the ends of the step that it has come to begin at at
		uint32_t turn;	// of that step
	} * ranks;
	uint32_t count;
};

static size_t schedule_step_end(const struct schedule_turns *turns,
				const struct schedule_rank *rank)
{
	size_t end = rank->at;

	while (end < rank->end && turns->ends[end].step == turns->ends[rank->at].step)
		end++;
	return end;
}

// A rank has come to a step: its messages are not before the rank's turn.
static void schedule_reach(struct schedule_turns *turns, const struct schedule_rank *rank)
{
	const size_t end = schedule_step_end(turns, rank);

	for (size_t i = rank->at; i < end; i++) {
		struct schedule_message *message = &turns->list[turns->ends[i].message];

		turns->reached[turns->ends[i].message]++;
		message->turn = message->turn < rank->turn ? rank->turn : message->turn;
	}
}

// Goes on to the next step if both ends of all messages of the present one are reached; in need,
// past what it only sends.
static bool schedule_pass(struct schedule_turns *turns, struct schedule_rank *rank, bool need)
{
	const size_t end = schedule_step_end(turns, rank);
	uint32_t last = rank->turn;

	for (size_t i = rank->at; i < end; i++) {
		const struct schedule_end *own = &turns->ends[i];

		if (turns->reached[own->message] < 2 && !(need && own->sends))
			return false;
		if (turns->list[own->message].turn > last)
			last = turns->list[own->message].turn;
	}
	if (rank->at == rank->end)
		return false;
	rank->at = end;
	rank->turn = last + 1;
	schedule_reach(turns, rank);
	return true;
}

// The turn of each message: after those of all earlier steps of both ranks.
static void schedule_take_turns(struct schedule_turns *turns)
{
	bool moved = true;

	for (uint32_t r = 0; r < turns->count; r++)
		schedule_reach(turns, &turns->ranks[r]);
	while (moved) {
		moved = false;
		for (uint32_t r = 0; r < turns->count; r++)
			moved |= schedule_pass(turns, &turns->ranks[r], false);
		for (uint32_t r = 0; !moved && r < turns->count; r++)
			moved = schedule_pass(turns, &turns->ranks[r], true);
	}
}

static int schedule_by_turn(const void *a, const void *b)
{
	const struct schedule_message *x = a, *y = b;

	ORDER_BY(x->turn, y->turn);
	ORDER_BY(x->src, y->src);
	return ORDER(x->dst, y->dst);
}

static enum tr_status schedule_turn(struct schedule *out, struct schedule_ends *ends,
				    uint32_t ranks, struct tr_error *err)
{
	struct schedule_turns turns = {.ends = ends->items,
				       .ranks = calloc(ranks, sizeof(*turns.ranks)),
				       .reached = calloc(ends->count + 1, sizeof(*turns.reached)),
				       .count = ranks};
	const bool whole = turns.ranks && turns.reached && schedule_pair(out, ends);

	turns.list = out->list;
	for (size_t i = 0; i < ends->count && whole; i++) {
		struct schedule_rank *rank = &turns.ranks[ends->items[i].rank];

		rank->at = rank->end > 0 ? rank->at : i;
		rank->end = i + 1;
	}
	if (whole) {
		schedule_take_turns(&turns);
		qsort(out->list, out->count, sizeof(*out->list), schedule_by_turn);
		out->turns = out->count > 0 ? out->list[out->count - 1].turn + 1 : 0;
	}
	free(turns.ranks);
	free(turns.reached);
	return whole ? TR_OK : tr_no_memory(err, "%zu messages", ends->count);
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
