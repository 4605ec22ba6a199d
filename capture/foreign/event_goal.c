// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/event_goal.h"

#include <inttypes.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "collectives/collective.h"
#include "foreign/instances.h"
#include "foreign/match.h"
#include "foreign/whole_messages.h"

static const struct program_kind *const kinds[COLLECTIVES] = {
	[COLLECTIVE_BARRIER] = &program_barrier,
	[COLLECTIVE_BCAST] = &program_broadcast,
	[COLLECTIVE_REDUCE] = &program_reduce,
	[COLLECTIVE_ALLREDUCE] = &program_allreduce,
	[COLLECTIVE_GATHER] = &program_gather,
	[COLLECTIVE_ALLGATHER] = &program_allgather,
	[COLLECTIVE_SCATTER] = &program_scatter,
	[COLLECTIVE_ALLTOALL] = &program_alltoall,
	[COLLECTIVE_REDUCE_SCATTER] = &program_reduce_scatter,
};

struct writing {
	const struct events *events;
	const struct event_goal_ways *ways;
	const struct instances *instances;
	struct event_goal_counts *counts;
	struct sequence sequence;
	uint32_t rank;
	uint32_t *ended; // by event: the operation in which a request ends, plus 1; 0: none
	struct inbox inbox;
	struct tr_error *err;
};

// ---- collective operations by flitgen's algorithms

enum tr_status event_goal_list(struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *table = table_new("collectives", "Collective operations");

	table_columns(table, "name keys algorithm");
	for (unsigned i = 0; i < COLLECTIVES; i++) {
		if (!kinds[i])
			continue;
		table_text(table, event_collective_word(i));
		table_text(table, kinds[i]->keys);
		table_text(table, kinds[i]->summary);
	}
	return tables_finish(&table, 1, style, "collectives", out, err);
}

static enum tr_status find_kind(const char *text, enum event_collective *out, struct tr_error *err)
{
	size_t length = strcspn(text, ":"), used = 0;
	char words[200];

	for (unsigned i = 0; i < COLLECTIVES; i++) {
		const char *word = event_collective_word(i);

		if (kinds[i] && strlen(word) == length && strncmp(word, text, length) == 0) {
			*out = i;
			return TR_OK;
		}
		if (kinds[i] && used < sizeof(words))
			used += (size_t)snprintf(words + used, sizeof(words) - used, " %s", word);
	}
	return tr_fail(
		err, "%.40s: expected a collective operation, such as allreduce:by=ring, one of%s",
		text, words);
}

enum tr_status event_goal_way(struct event_goal_ways *ways, const char *text, struct tr_error *err)
{
	alignas(max_align_t) unsigned char state[PROGRAM_STATE_BYTES] = {0};
	const char *keys = text + strcspn(text, ":");
	enum event_collective kind = COLLECTIVES;
	char *own;

	if (find_kind(text, &kind, err) != TR_OK ||
	    program_kind_take(kinds[kind], text, state, err) != TR_OK)
		return TR_ERROR;
	own = ways->keys[kind];
	if (strlen(keys) + 1 >= EVENT_GOAL_KEYS_BYTES)
		return tr_fail(err, "%.40s: more than %u characters", text,
			       EVENT_GOAL_KEYS_BYTES - 2);
	if (strstr(keys, "ranks=") || strstr(keys, "bytes=") || strstr(keys, "root=") ||
	    strstr(keys, "repeats=") || strstr(keys, "compute="))
		return tr_fail(
			err,
			"%.80s: ranks, bytes, root, repeats and compute are those of the trace",
			text);
	(void)snprintf(own, EVENT_GOAL_KEYS_BYTES, "%s%s", *keys ? keys + 1 : "",
		       *keys && keys[1] ? "," : "");
	return TR_OK;
}

static enum tr_status event_goal_take(const struct event_goal_ways *ways,
				      const struct event_goal_part *part, void *state,
				      struct tr_error *err)
{
	const struct program_kind *kind = kinds[part->collective];
	char text[PROGRAM_ARGS_BYTES];
	char root[24] = "";

	if (event_collective_is_rooted(part->collective))
		(void)snprintf(root, sizeof(root), ",root=%" PRIu32, part->root);
	(void)snprintf(text, sizeof(text), "%s:%sranks=%" PRIu32 ",bytes=%" PRIu64 "B%s",
		       kind->name, ways->keys[part->collective], part->ranks, part->bytes, root);
	return program_kind_take(kind, text, state, err);
}

enum tr_status event_goal_unroll(const struct event_goal_ways *ways, struct sequence *sequence,
				 const struct event_goal_part *part, struct tr_error *err)
{
	alignas(max_align_t) unsigned char state[PROGRAM_STATE_BYTES] = {0};

	if (event_goal_take(ways, part, state, err) != TR_OK)
		return TR_ERROR;
	kinds[part->collective]->rank(state, sequence, part->place);
	return TR_OK;
}

uint64_t event_goal_tags(const struct event_goal_ways *ways, uint8_t collective, uint32_t ranks)
{
	const struct event_goal_part part = {.collective = collective, .ranks = ranks};
	alignas(max_align_t) unsigned char state[PROGRAM_STATE_BYTES] = {0};
	struct tr_error ignored; // what does not fit is said where it is unrolled

	if (kinds[collective] && event_goal_take(ways, &part, state, &ignored) == TR_OK)
		return collective_tags(state);
	return 1;
}

// ---- collective operations of differing blocks: directly

static uint64_t event_goal_part_of(const struct writing *writing, const struct event *event,
				   const struct instance *instance, uint32_t from, uint32_t to)
{
	uint64_t part = writing->instances->parts[instance->parts - 1 + from];

	if (event->collective != COLLECTIVE_ALLTOALL)
		return part;
	return part ? writing->events->counts[part - 1 + to] : instance->bytes;
}

// Every rank sends to every other, all at once.
static void event_goal_exchange(struct writing *writing, const struct event *event,
				const struct instance *instance, uint32_t place, uint32_t ranks)
{
	sequence_together(&writing->sequence);
	for (uint32_t step = 1; step < ranks; step++) {
		uint32_t to = (place + step) % ranks;
		uint32_t from = (place + ranks - step) % ranks;

		sequence_branch(&writing->sequence);
		sequence_send(&writing->sequence, to,
			      event_goal_part_of(writing, event, instance, place, to), 0);
		sequence_branch(&writing->sequence);
		sequence_recv(&writing->sequence, from,
			      event_goal_part_of(writing, event, instance, from, place), 0);
	}
	sequence_meet(&writing->sequence);
}

static void with_root(struct writing *writing, const struct event *event,
		      const struct instance *instance, uint32_t place, uint32_t ranks)
{
	bool out = event->collective == COLLECTIVE_SCATTER;

	if (place != event->peer) {
		uint64_t bytes = event_goal_part_of(writing, event, instance, place, place);

		if (out)
			sequence_recv(&writing->sequence, event->peer, bytes, 0);
		else
			sequence_send(&writing->sequence, event->peer, bytes, 0);
		return;
	}
	if (!out)
		sequence_together(&writing->sequence);
	for (uint32_t other = 0; other < ranks; other++) {
		uint64_t bytes = event_goal_part_of(writing, event, instance, other, other);

		if (other == place)
			continue;
		if (out) {
			sequence_send(&writing->sequence, other, bytes, 0);
		} else {
			sequence_branch(&writing->sequence);
			sequence_recv(&writing->sequence, other, bytes, 0);
		}
	}
	if (!out)
		sequence_meet(&writing->sequence);
}

// Each rank adds its data to those of the ranks before it.
static void event_goal_scan(struct writing *writing, const struct instance *instance,
			    uint32_t place, uint32_t ranks)
{
	if (place > 0)
		sequence_recv(&writing->sequence, place - 1, instance->bytes, 0);
	if (place + 1 < ranks)
		sequence_send(&writing->sequence, place + 1, instance->bytes, 0);
}

static enum tr_status write_collective(struct writing *writing, const struct event *event)
{
	const struct event_communicator *own = event_communicator_of(writing->events, writing->rank,
								     event);
	const struct instance *instance = instances_of(writing->instances, writing->events,
						       writing->rank, event);
	struct sequence *sequence = &writing->sequence;
	enum tr_status status = TR_OK;
	uint32_t ranks;
	const uint32_t *members = events_members(writing->events, writing->rank,
						 event->communicator, &ranks);

	if (instance->seen < ranks ||
	    (event_collective_is_rooted(event->collective) && event->peer >= ranks)) {
		writing->counts->left_out++;
		return TR_OK;
	}
	sequence->members = members;
	sequence->tag_first = instance->tag_first;
	if (ranks > 1 && instance_is_uneven(instance)) {
		writing->counts->uneven += own->place == 0;
		if (event_collective_is_rooted(event->collective))
			with_root(writing, event, instance, own->place, ranks);
		else
			event_goal_exchange(writing, event, instance, own->place, ranks);
	} else if (kinds[event->collective]) {
		const struct event_goal_part part = {.collective = event->collective,
						     .place = own->place,
						     .ranks = ranks,
						     .root = event->peer,
						     .bytes = instance->bytes};

		status = event_goal_unroll(writing->ways, sequence, &part, writing->err);
	} else {
		event_goal_scan(writing, instance, own->place, ranks);
	}
	sequence->members = NULL;
	sequence->tag_first = 0;
	return status;
}

// ---- the events of a rank

// Where the current point is one operation; a gate joins several. The number of the operation plus
// 1, 0 at the begin.
static uint32_t point_op(struct writing *writing)
{
	struct sequence_point here;

	sequence_join(&writing->sequence);
	here = sequence_here(&writing->sequence);
	return here.count ? here.ops[0] + 1 : 0;
}

// Each message has a tag of its own at its source, so that nothing can overtake.
static uint32_t event_goal_tag_of(uint32_t event)
{
	return INSTANCE_TAGS + event % INSTANCE_TAGS;
}

static enum tr_status write_call(struct writing *writing, const struct event *event,
				 uint32_t number)
{
	const struct sequence_point before = sequence_here(&writing->sequence);
	enum tr_status status = TR_OK;

	if (event->kind == EVENT_COLLECTIVE)
		status = write_collective(writing, event);
	else if (event->link == EVENT_NOBODY)
		writing->counts->left_out++;
	else if (event_is_send(event))
		sequence_send(&writing->sequence, event->peer, event->bytes,
			      event_goal_tag_of(number));
	else
		sequence_recv(&writing->sequence, event->peer, event->bytes,
			      event_goal_tag_of(event->link));
	if (event->pending) {
		writing->ended[number] = point_op(writing);
		sequence_from(&writing->sequence, &before);
	}
	return status;
}

static enum tr_status write_event(struct writing *writing, const struct event *event,
				  uint32_t number)
{
	struct sequence_point request = {.count = 1};

	switch (event->kind) {
	case EVENT_CALL:
	case EVENT_MESSAGE: return TR_OK;
	case EVENT_WAIT:
		if (writing->ended[event->link] > 0) {
			request.ops[0] = writing->ended[event->link] - 1;
			sequence_wait(&writing->sequence, &request);
		}
		return TR_OK;
	default: return write_call(writing, event, number);
	}
}

// Computing since the last call.
static void write_gap(struct writing *writing, int64_t from_ticks, int64_t to_ticks)
{
	const struct num_ratio tick = {1, (int64_t)writing->events->ticks_per_s};

	if (to_ticks <= from_ticks)
		return;
	sequence_compute(&writing->sequence, (uint64_t)(to_ticks - from_ticks), tick);
	writing->counts->compute_ns += (uint64_t)((__int128)(to_ticks - from_ticks) * 1000000000 /
						  tick.den);
}

static enum tr_status write_rank(struct writing *writing)
{
	const struct event_rank *own = &writing->events->by_rank[writing->rank];
	int64_t last_ticks = own->count && !writing->events->computed ? own->events[0].begin_ticks
								      : 0;

	for (uint32_t i = 0; i < own->count; i++) {
		const struct event *event = &own->events[i];

		writing->ended[i] = 0;
		if (event->kind == EVENT_MESSAGE)
			continue;
		write_gap(writing, last_ticks, event->begin_ticks);
		if (event->end_ticks > last_ticks)
			last_ticks = event->end_ticks;
		if (write_event(writing, event, i) != TR_OK)
			return TR_ERROR;
		if (sequence_stopped(&writing->sequence))
			break;
	}
	return TR_OK;
}

// ---- whole messages

// Sends at the times of the trace, whatever else the rank does; receives, which nothing waits for.
static void write_whole(struct writing *writing)
{
	const struct event_rank *own = &writing->events->by_rank[writing->rank];
	const struct inbox *inbox = &writing->inbox;
	int64_t last_ticks = inbox->begin_ticks;
	const struct event *event;

	sequence_from(&writing->sequence, &(struct sequence_point){.count = 0});
	for (uint32_t at = 0; (event = whole_next(own, &at)) != NULL;) {
		struct sequence_point before;

		write_gap(writing, last_ticks, event->begin_ticks);
		last_ticks = event->begin_ticks > last_ticks ? event->begin_ticks : last_ticks;
		before = sequence_here(&writing->sequence);
		sequence_send(&writing->sequence, event->peer, event->bytes,
			      event_goal_tag_of(at - 1));
		sequence_from(&writing->sequence, &before);
	}
	for (uint64_t i = inbox->first[writing->rank]; i < inbox->first[writing->rank + 1]; i++) {
		const struct inbox_arrival *arrival = &inbox->arrivals[i];

		sequence_from(&writing->sequence, &(struct sequence_point){.count = 0});
		sequence_recv(
			&writing->sequence, arrival->source,
			writing->events->by_rank[arrival->source].events[arrival->event].bytes,
			event_goal_tag_of(arrival->event));
	}
}

// ---- the program

void event_goal_start(const struct event_goal_ways *ways, struct sequence *sequence, uint32_t ranks,
		      FILE *out)
{
	fputs("// made by flitread; collective operations:", out);
	for (unsigned i = 0; i < COLLECTIVES; i++) {
		const char *keys = ways->keys[i];

		if (*keys)
			fprintf(out, " %s:%.*s", event_collective_word(i), (int)strlen(keys) - 1,
				keys);
	}
	fputs(" (others: the first of flitgen --program list)\n", out);
	*sequence = (struct sequence){.cost = {{0, 1}, {0, 1}}};
	goal_write_start(&sequence->writer, out, ranks);
}

static enum tr_status write_ranks(struct writing *writing, struct tr_error *err)
{
	struct tr_error why = {""};

	writing->err = &why;
	for (writing->rank = 0; writing->rank < writing->events->ranks; writing->rank++) {
		sequence_rank(&writing->sequence);
		if (write_rank(writing) != TR_OK)
			return tr_fail_for(err, &why, "rank %" PRIu32 ": %s", writing->rank,
					   why.text);
		write_whole(writing);
		writing->counts->operations += writing->sequence.writer.ops;
		if (sequence_stopped(&writing->sequence))
			break;
	}
	return TR_OK;
}

enum tr_status event_goal_write(const struct events *events, const struct event_goal_ways *ways,
				FILE *out, struct event_goal_counts *counts, struct tr_error *err)
{
	struct instances instances;
	struct writing writing = {
		.events = events, .ways = ways, .instances = &instances, .counts = counts};
	int64_t *room = events_ends_room(events); // half of it holds a number for each event
	enum tr_status status = instances_make(&instances, events, err);

	*counts = (struct event_goal_counts){0};
	if (status == TR_OK)
		status = instances_tags(&instances, events, ways, &counts->tags_again, err);
	writing.ended = (uint32_t *)room;
	if (status == TR_OK && (!room || !inbox_make(&writing.inbox, events)))
		status = tr_no_memory(err, "the program");
	if (status == TR_OK) {
		event_goal_start(ways, &writing.sequence, events->ranks, out);
		status = write_ranks(&writing, err);
	}
	if (status == TR_OK)
		status = sequence_end(&writing.sequence, err);
	free(room);
	inbox_clear(&writing.inbox);
	instances_clear(&instances);
	return status;
}
