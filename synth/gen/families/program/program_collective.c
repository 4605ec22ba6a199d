// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/program/program_collective.h"
#include "value/grow.h"
#include "value/order.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct program_kind *const kinds[] = {
	&program_allgather, &program_allreduce,	     &program_alltoall,
	&program_barrier,   &program_broadcast,	     &program_gather,
	&program_reduce,    &program_reduce_scatter, &program_scatter};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

const struct program_kind *program_collective_kind(const char *text)
{
	const size_t length = strcspn(text, ":");

	for (size_t i = 0; i < KINDS; i++)
		if (strlen(kinds[i]->name) == length && strncmp(kinds[i]->name, text, length) == 0)
			return kinds[i];
	return NULL;
}

// Reads the operation for so many ranks and bytes.
static enum tr_status collective_state(const char *text, uint32_t ranks, uint64_t bytes,
				       void *state, struct tr_error *err)
{
	char all[PROGRAM_ARGS_BYTES];

	if (strlen(text) > PROGRAM_ARGS_BYTES / 2)
		return tr_fail(err, "%.40s...: more than %u characters", text,
			       PROGRAM_ARGS_BYTES / 2);
	(void)snprintf(all, sizeof(all), "%s%sranks=%u,bytes=%lluB", text,
		       strchr(text, ':') ? "," : ":", ranks, (unsigned long long)bytes);
	return program_kind_take(program_collective_kind(text), all, state, err);
}

enum tr_status program_collective_check(const char *text, struct tr_error *err)
{
	alignas(max_align_t) unsigned char state[PROGRAM_STATE_BYTES] = {0};
	const char *key = strchr(text, ':');

	if (!program_collective_kind(text))
		return tr_fail(err,
			       "\"%.40s\" is none; expected one such as allreduce:by=ring (flitgen "
			       "--program list)",
			       text);
	for (; key; key = strchr(key, ',')) {
		key++;
		if (strncmp(key, "by=", 3) != 0 && strncmp(key, "root=", 5) != 0)
			return tr_fail(
				err,
				"\"%.40s\": expected by=WORD or root=RANK; all else is the model's",
				key);
	}
	return collective_state(text, PROGRAM_NODES_MAX, 0, state, err);
}

// ---- The messages of an algorithm: both ends are gathered rank by rank, paired, and put in turns.

struct collective_end {
	uint32_t rank, step; // of the rank; its messages of one step are at once
	uint32_t peer;
	uint32_t message; // of a send its own number, of a receive that of the send
	uint64_t bytes;
	bool sends;
};

struct collective_ends {
	struct collective_end *items;
	size_t count, capacity;
	bool full, no_memory;
};

static void collective_note(void *context, const struct sequence_message *message)
{
	struct collective_ends *ends = context;

	ends->full |= ends->count >= 2 * (size_t)PROGRAM_MESSAGES_MAX;
	if (ends->full || ends->no_memory)
		return;
	ends->no_memory = !GROW(ends->items, ends->capacity, ends->count);
	if (ends->no_memory)
		return;
	ends->items[ends->count++] = (struct collective_end){.rank = message->rank,
							     .step = message->step,
							     .peer = message->op->peer,
							     .bytes = message->op->size,
							     .sends = message->op->kind ==
								      GOAL_SEND};
}

static enum tr_status collective_gather(const char *text, uint32_t nodes, uint64_t bytes,
					struct collective_ends *ends, struct tr_error *err)
{
	alignas(max_align_t) unsigned char state[PROGRAM_STATE_BYTES] = {0};
	const struct sequence_watch watch = {collective_note, ends};
	struct sequence sequence = {.cost = {{0, 1}, {0, 1}}, .watch = &watch};

	if (collective_state(text, nodes, bytes, state, err) != TR_OK)
		return TR_ERROR;
	goal_write_start(&sequence.writer, NULL, nodes);
	for (uint32_t rank = 0; rank < nodes && !ends->full && !ends->no_memory; rank++) {
		sequence_rank(&sequence);
		program_collective_kind(text)->rank(state, &sequence, rank);
	}
	if (ends->no_memory)
		return tr_no_memory(err, "%zu messages", ends->count);
	return ends->full
		       ? tr_fail(err, "more than %u messages in an iteration", PROGRAM_MESSAGES_MAX)
		       : TR_OK;
}

// By source and destination, sends and receives alike, in the order in which they are called.
static int collective_by_pair(const void *a, const void *b)
{
	const struct collective_end *x = *(struct collective_end *const *)a,
				    *y = *(struct collective_end *const *)b;
	const uint64_t p = x->sends ? (uint64_t)x->rank << 32 | x->peer
				    : (uint64_t)x->peer << 32 | x->rank;
	const uint64_t q = y->sends ? (uint64_t)y->rank << 32 | y->peer
				    : (uint64_t)y->peer << 32 | y->rank;

	ORDER_BY(p, q);
	ORDER_BY(y->sends, x->sends);
	return ORDER(x, y);
}

// Numbers the messages at both ends: of a pair of ranks, the k-th receive gets the k-th send.
// False: out of memory.
static bool collective_pair(struct collective_ends *ends)
{
	struct collective_end **sorted = calloc(ends->count + 1, sizeof(*sorted));
	uint32_t number = 0;

	if (!sorted)
		return false;
	for (size_t i = 0; i < ends->count; i++)
		sorted[i] = &ends->items[i];
	qsort(sorted, ends->count, sizeof(*sorted), collective_by_pair);
	for (size_t first = 0, half; first < ends->count; first += 2 * half) {
		for (half = 0; first + half < ends->count && sorted[first + half]->sends;) {
			const struct collective_end *send = sorted[first + half],
						    *begin = sorted[first];

			if (send->rank != begin->rank || send->peer != begin->peer)
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
struct collective_turns {
	const struct collective_ends *ends;
	size_t *first, *at; // by rank; first[nodes] is the number of ends
	uint32_t *turn;	    // by rank
	uint32_t *of;	    // by message; UINT32_MAX: none of its ends has been reached
	uint8_t *reached;   // by message: how many ends
	uint32_t nodes;
};

static size_t collective_step_end(const struct collective_turns *turns, uint32_t rank, size_t from)
{
	size_t end = from;

	while (end < turns->first[rank + 1] &&
	       turns->ends->items[end].step == turns->ends->items[from].step)
		end++;
	return end;
}

// A rank comes to its next step: its messages are not before the rank's turn.
static void collective_reach(struct collective_turns *turns, uint32_t rank)
{
	const size_t end = collective_step_end(turns, rank, turns->at[rank]);

	for (size_t i = turns->at[rank]; i < end; i++) {
		const uint32_t m = turns->ends->items[i].message;

		turns->of[m] = turns->reached[m]++ == 0 || turns->of[m] < turns->turn[rank]
				       ? turns->turn[rank]
				       : turns->of[m];
	}
}

// Goes on to the next step if both ends of all messages of the present one are reached; in need,
// past what it only sends.
static bool collective_pass(struct collective_turns *turns, uint32_t rank, bool need)
{
	const size_t end = collective_step_end(turns, rank, turns->at[rank]);
	uint32_t last = turns->turn[rank];

	if (turns->at[rank] == turns->first[rank + 1])
		return false;
	for (size_t i = turns->at[rank]; i < end; i++) {
		const struct collective_end *own = &turns->ends->items[i];

		if (turns->reached[own->message] < 2 && !(need && own->sends))
			return false;
		last = turns->of[own->message] > last ? turns->of[own->message] : last;
	}
	turns->at[rank] = end;
	turns->turn[rank] = last + 1;
	if (end < turns->first[rank + 1])
		collective_reach(turns, rank);
	return true;
}

// The turn of each message: after those of all earlier steps of both ranks.
static void collective_take_turns(struct collective_turns *turns)
{
	bool moved = true;

	for (uint32_t r = 0; r < turns->nodes; r++)
		if (turns->at[r] < turns->first[r + 1])
			collective_reach(turns, r);
	while (moved) {
		moved = false;
		for (uint32_t r = 0; r < turns->nodes; r++)
			moved |= collective_pass(turns, r, false);
		for (uint32_t r = 0; !moved && r < turns->nodes; r++)
			moved = collective_pass(turns, r, true);
	}
}

static int collective_by_turn(const void *a, const void *b)
{
	const struct program_message *x = a, *y = b;

	ORDER_BY(x->turn, y->turn);
	ORDER_BY(x->src, y->src);
	return ORDER(x->dst, y->dst);
}

static enum tr_status collective_list(struct program_list *list,
				      const struct collective_turns *turns, struct tr_error *err)
{
	const uint32_t first = list->count;

	for (size_t i = 0; i < turns->ends->count; i++) {
		const struct collective_end *send = &turns->ends->items[i];

		if (!send->sends)
			continue;
		if (program_list_add(list, send->rank, send->peer, turns->of[send->message], err) !=
		    TR_OK)
			return TR_ERROR;
		list->messages[list->count - 1].bytes = send->bytes;
	}
	qsort(list->messages + first, list->count - first, sizeof(*list->messages),
	      collective_by_turn);
	return TR_OK;
}

static enum tr_status collective_turn(struct program_list *list, struct collective_ends *ends,
				      uint32_t nodes, struct tr_error *err)
{
	struct collective_turns turns = {
		.ends = ends,
		.nodes = nodes,
		.first = calloc((size_t)nodes + 1, sizeof(*turns.first)),
		.at = calloc((size_t)nodes + 1, sizeof(*turns.at)),
		.turn = calloc((size_t)nodes + 1, sizeof(*turns.turn)),
		.of = calloc(ends->count + 1, sizeof(*turns.of)),
		.reached = calloc(ends->count + 1, sizeof(*turns.reached))};
	enum tr_status status = TR_OK;

	if (!turns.first || !turns.at || !turns.turn || !turns.of || !turns.reached ||
	    !collective_pair(ends)) {
		status = tr_no_memory(err, "%zu messages", ends->count);
	} else {
		for (size_t i = 0; i < ends->count; i++)
			turns.first[ends->items[i].rank + 1] = i + 1;
		for (uint32_t r = 0; r < nodes; r++) {
			turns.first[r + 1] = turns.first[r + 1] ? turns.first[r + 1]
								: turns.first[r];
			turns.at[r] = turns.first[r];
		}
		collective_take_turns(&turns);
		status = collective_list(list, &turns, err);
	}
	free(turns.first);
	free(turns.at);
	free(turns.turn);
	free(turns.of);
	free(turns.reached);
	return status;
}

static enum tr_status program_collective_add_collective(struct program_list *list,
							const struct program_phase *phase,
							uint32_t nodes, struct tr_error *err)
{
	const double bytes = program_power_of(&phase->bytes, nodes, list->problem);
	struct collective_ends ends = {.items = NULL};
	enum tr_status status;

	if (!(bytes < 0x1p40))
		return tr_fail(err, "a collective operation of %.4g B", bytes);
	status = collective_gather(phase->collective, nodes, (uint64_t)(bytes + 0.5), &ends, err);
	if (status == TR_OK)
		status = collective_turn(list, &ends, nodes, err);
	free(ends.items);
	return status;
}

const struct program_pattern program_collective_pattern = {"collective", "a collective operation",
							   false, PROGRAM_IN_TURN,
							   program_collective_add_collective};

// ---- Records of operations

const struct program_collective_record *program_collective_record(uint16_t operation)
{
	static const struct program_collective_record records[TR_OP_EXSCAN + 1] = {
		[TR_OP_BARRIER] = {&program_barrier, false, false, false},
		[TR_OP_BCAST] = {&program_broadcast, true, true, false},
		[TR_OP_REDUCE] = {&program_reduce, true, false, false},
		[TR_OP_ALLREDUCE] = {&program_allreduce, false, false, false},
		[TR_OP_GATHER] = {&program_gather, true, false, false},
		[TR_OP_ALLGATHER] = {&program_allgather, false, false, false},
		[TR_OP_SCATTER] = {&program_scatter, true, true, true},
		[TR_OP_ALLTOALL] = {&program_alltoall, false, false, true},
		[TR_OP_REDUCE_SCATTER] = {&program_reduce_scatter, false, false, false},
	};

	return operation <= TR_OP_EXSCAN && records[operation].kind ? &records[operation] : NULL;
}
