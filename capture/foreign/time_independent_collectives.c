// SPDX-License-Identifier: GPL-3.0-or-later
// Collective operations of time-independent traces, all taken as of MPI_COMM_WORLD, which the
// traces do not tell apart. Words and their order: SimGrid 4.1, src/instr/instr_private.hpp and
// src/smpi/bindings/smpi_pmpi_coll.cpp, for those that it records;
// src/smpi/internals/smpi_replay.cpp for those that it replays.
#include "foreign/time_independent.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The place of a word: word + by_ranks times the number of ranks; 0: it is nowhere.
struct ti_place {
	uint8_t word;
	uint8_t by_ranks;
};

// A collective operation, and where its words are.
struct ti_words {
	const char *word;
	enum event_collective collective;
	struct ti_place given, got; // counts of the rank
	struct ti_place list;	    // the first count of as many as there are ranks
	struct ti_place compute;    // instructions
	struct ti_place root;
	struct ti_place type, type_got;
	struct ti_place last; // that must be there
};

static const struct ti_words operations[] = {
	{"barrier", COLLECTIVE_BARRIER, {0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}},
	{"bcast", COLLECTIVE_BCAST, {2}, {0}, {0}, {0}, {3}, {4}, {0}, {2}},
	{"reduce", COLLECTIVE_REDUCE, {2}, {0}, {0}, {3}, {4}, {5}, {0}, {3}},
	{"allreduce", COLLECTIVE_ALLREDUCE, {2}, {0}, {0}, {3}, {0}, {4}, {0}, {3}},
	{"scan", COLLECTIVE_SCAN, {2}, {0}, {0}, {3}, {0}, {4}, {0}, {3}},
	{"exscan", COLLECTIVE_EXSCAN, {2}, {0}, {0}, {3}, {0}, {4}, {0}, {3}},
	{"alltoall", COLLECTIVE_ALLTOALL, {2}, {3}, {0}, {0}, {0}, {4}, {5}, {3}},
	{"alltoallv", COLLECTIVE_ALLTOALL, {0}, {0}, {3}, {0}, {0}, {4, 2}, {5, 2}, {3, 2}},
	{"gather", COLLECTIVE_GATHER, {2}, {3}, {0}, {0}, {4}, {5}, {6}, {3}},
	{"gatherv", COLLECTIVE_GATHER, {2}, {0}, {3}, {0}, {3, 1}, {4, 1}, {5, 1}, {2, 1}},
	{"scatter", COLLECTIVE_SCATTER, {2}, {3}, {0}, {0}, {4}, {5}, {6}, {3}},
	{"scatterv", COLLECTIVE_SCATTER, {0}, {2, 1}, {2}, {0}, {3, 1}, {4, 1}, {5, 1}, {2, 1}},
	{"allgather", COLLECTIVE_ALLGATHER, {2}, {3}, {0}, {0}, {0}, {4}, {5}, {3}},
	{"allgatherv", COLLECTIVE_ALLGATHER, {2}, {0}, {3}, {0}, {0}, {3, 1}, {4, 1}, {2, 1}},
	{"reducescatter",
	 COLLECTIVE_REDUCE_SCATTER,
	 {0},
	 {0},
	 {2},
	 {2, 1},
	 {0},
	 {3, 1},
	 {0},
	 {2, 1}},
};

// That of a word; with an i before it, it begins a request.
static const struct ti_words *ti_words_of(const char *word, bool *pending)
{
	for (unsigned begun = 0; begun < 2; begun++)
		for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
			*pending = begun;
			if ((!begun || *word == 'i' || *word == 'I') &&
			    strcasecmp(operations[i].word, word + begun) == 0)
				return &operations[i];
		}
	return NULL;
}

bool ti_is_collective(const char *word)
{
	bool pending;

	return ti_words_of(word, &pending);
}

static size_t ti_at(const struct ti_reading *reading, struct ti_place place)
{
	return place.word ? place.word + (size_t)place.by_ranks * reading->events->ranks : SIZE_MAX;
}

// SimGrid leaves out how much a rank of a gather or scatter gets where that is 0, and writes the
// root and two types after it.
static bool ti_lacks_got(const struct ti_reading *reading, const struct ti_words *words)
{
	return words->root.word == 4 && words->got.word == 3 && reading->count == 6;
}

// Moves the words so that all are there.
static void ti_fill_got(struct ti_reading *reading)
{
	memmove(&reading->words[4], &reading->words[3],
		(reading->count - 3) * sizeof(*reading->words));
	reading->zero[0] = '0';
	reading->words[3] = reading->zero;
	reading->count++;
}

// The types of an allgatherv may be left out before its displacements.
static size_t ti_type_at(const struct ti_reading *reading, const struct ti_words *words,
			 struct ti_place place)
{
	const size_t ranks = reading->events->ranks;

	if (words->collective == COLLECTIVE_ALLGATHER && words->list.word &&
	    reading->count > 5 + ranks && reading->count <= 3 + 2 * ranks)
		return SIZE_MAX;
	return ti_at(reading, place);
}

// SimGrid writes as many zeros as MPI_Reduce_scatter_block has elements for each rank, and the
// type. All blocks are of that size.
static bool ti_has_zeros_only(const struct ti_reading *reading)
{
	for (size_t i = 2; i + 1 < reading->count; i++)
		if (strcmp(reading->words[i], "0") != 0)
			return false;
	return reading->count > 3;
}

// The line may also be one of blocks of no elements, with or without a type.
static bool ti_may_be_empty(const struct ti_reading *reading)
{
	const size_t elements = reading->count - 3;

	return elements == reading->events->ranks || elements == (size_t)reading->events->ranks + 1;
}

static enum tr_status ti_blocks(struct ti_reading *reading, struct event *event,
				struct tr_error *err)
{
	char elements[24];
	char *kept = reading->words[2];
	enum tr_status status;

	(void)snprintf(elements, sizeof(elements), "%zu",
		       (reading->count - 3) * reading->events->ranks);
	reading->words[2] = elements;
	status = ti_bytes(reading, 2, reading->count - 1, &event->bytes, err);
	reading->words[2] = kept;
	return status;
}

static enum tr_status ti_list(struct ti_reading *reading, const struct ti_words *words,
			      struct ti_place type, struct event *event, struct tr_error *err)
{
	const uint32_t n = reading->events->ranks;
	const size_t type_at = ti_type_at(reading, words, type);
	uint64_t *counts = reallocarray(NULL, n, sizeof(*counts)), sum = 0;
	enum tr_status status = counts ? TR_OK : tr_no_memory(err, "%" PRIu32 " counts", n);

	for (uint32_t i = 0; status == TR_OK && i < n; i++) {
		status = ti_bytes(reading, ti_at(reading, words->list) + i, type_at, &counts[i],
				  err);
		sum += status == TR_OK ? counts[i] : 0;
	}
	if (status == TR_OK) {
		event->bytes = words->collective == COLLECTIVE_REDUCE_SCATTER
				       ? sum
				       : counts[reading->rank];
		if (words->collective == COLLECTIVE_ALLTOALL)
			status = events_add_counts(reading->events, counts, n, &event->counts, err);
		if (words->collective == COLLECTIVE_SCATTER)
			status = events_add_counts(reading->events, &sum, 1, &event->counts, err);
	}
	free(counts);
	return status;
}

// The size of the rank's block: from what means something with MPI_IN_PLACE, too.
static enum tr_status ti_block(struct ti_reading *reading, const struct ti_words *words,
			       struct event *event, struct tr_error *err)
{
	const bool root = event->peer == reading->rank;
	const bool got = words->collective == COLLECTIVE_SCATTER
				 ? !root
				 : words->collective == COLLECTIVE_GATHER && root;
	const bool list = words->list.word && (words->root.word == 0 || root);
	const struct ti_place of_list = words->collective == COLLECTIVE_GATHER ||
							words->collective == COLLECTIVE_ALLGATHER
						? words->type_got
						: words->type;

	if (list)
		return ti_list(reading, words, of_list, event, err);
	if (got)
		return ti_bytes(reading, ti_at(reading, words->got),
				ti_at(reading, words->type_got), &event->bytes, err);
	if (words->given.word)
		return ti_bytes(reading, ti_at(reading, words->given), ti_at(reading, words->type),
				&event->bytes, err);
	return TR_OK;
}

static enum tr_status ti_put_collective(struct ti_reading *reading, struct event event,
					bool pending, struct tr_error *err)
{
	struct ti_pending made = {.from = EVENT_ANY, .to = EVENT_ANY, .tag = EVENT_ANY_TAG};

	event.pending = pending;
	if (!pending)
		return ti_put(reading, event, 0, err);
	made.request = ++reading->clocks[reading->rank].requests;
	if (ti_remember(reading, &made, err) != TR_OK)
		return TR_ERROR;
	return ti_put(reading, event, made.request, err);
}

enum tr_status ti_collective(struct ti_reading *reading, struct tr_error *err)
{
	bool pending;
	const struct ti_words *words = ti_words_of(reading->words[1], &pending);
	const bool blocks = words->collective == COLLECTIVE_REDUCE_SCATTER &&
			    ti_has_zeros_only(reading);
	struct event event = {.kind = EVENT_COLLECTIVE,
			      .collective = (uint8_t)words->collective,
			      .peer = words->root.word ? 0 : EVENT_NOBODY};
	size_t root;

	if (ti_lacks_got(reading, words))
		ti_fill_got(reading);
	root = ti_at(reading, words->root);
	reading->events->unknown_sizes += blocks && ti_may_be_empty(reading);
	if (blocks && !ti_may_be_empty(reading))
		return ti_blocks(reading, &event, err) == TR_OK
			       ? ti_put_collective(reading, event, pending, err)
			       : TR_ERROR;
	if (words->last.word && ti_need(reading, ti_at(reading, words->last) - 1, err) != TR_OK)
		return TR_ERROR;
	if (root < reading->count && ti_rank(reading, root, &event.peer, err) != TR_OK)
		return TR_ERROR;
	if (ti_block(reading, words, &event, err) != TR_OK ||
	    ti_put_collective(reading, event, pending, err) != TR_OK)
		return TR_ERROR;
	if (words->compute.word && reading->input->flops_per_s.den > 0)
		return ti_advance(reading, ti_at(reading, words->compute),
				  ti_ticks_per_flop(reading), err);
	return TR_OK;
}
