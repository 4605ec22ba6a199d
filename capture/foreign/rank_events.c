// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/rank_events.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/communicators.h"
#include "value/grow.h"
#include "value/hash.h"

struct rank_events_request {
	uint64_t key[2]; // rank, number
	uint32_t event;	 // EVENT_NOBODY: not pending
};

struct event_requests {
	struct rank_events_request *entries;
	uint32_t count, capacity;
	struct tr_hash index;
};

static const char *const words[COLLECTIVES] = {
	"barrier", "broadcast", "reduce",	  "allreduce", "gather", "allgather",
	"scatter", "alltoall",	"reduce-scatter", "scan",      "exscan",
};

const char *event_collective_word(enum event_collective collective)
{
	return words[collective];
}

// ---- ranks

enum tr_status events_open(struct events *out, uint32_t ranks, uint64_t ticks_per_s,
			   struct tr_error *err)
{
	*out = (struct events){.ranks = ranks, .ticks_per_s = ticks_per_s};
	if (ranks > EVENTS_RANKS_MAX)
		return tr_fail(err, "%" PRIu32 " ranks; expected at most %u", ranks,
			       EVENTS_RANKS_MAX);
	out->by_rank = calloc((size_t)ranks + 1, sizeof(*out->by_rank));
	out->names = calloc((size_t)ranks + 1, sizeof(*out->names));
	out->requests = calloc(1, sizeof(*out->requests));
	if (out->by_rank && out->names && out->requests)
		return events_open_world(out, err);
	return tr_no_memory(err, "%" PRIu32 " ranks", ranks);
}

enum tr_status events_name(struct events *events, uint32_t rank, const char *text,
			   struct tr_error *err)
{
	char *copy = strdup(text);

	if (!copy)
		return tr_no_memory(err, "the name of rank %" PRIu32, rank);
	free(events->names[rank]);
	events->names[rank] = copy;
	return TR_OK;
}

void events_clear(struct events *events)
{
	for (uint32_t rank = 0; events->by_rank && rank < events->ranks; rank++) {
		free(events->by_rank[rank].events);
		free(events->by_rank[rank].communicators);
		free(events->by_rank[rank].groups);
	}
	for (uint32_t rank = 0; events->names && rank < events->ranks; rank++)
		free(events->names[rank]);
	if (events->requests) {
		free(events->requests->entries);
		tr_hash_clear(&events->requests->index);
	}
	free(events->requests);
	free(events->by_rank);
	free(events->names);
	free(events->counts);
	free(events->numbers);
	for (uint32_t i = 0; i < events->word_count; i++)
		free(events->words[i]);
	free(events->words);
	events_clear_members(events);
	memset(events, 0, sizeof(*events));
}

struct event_communicator *events_new_communicator(struct events *events, uint32_t rank,
						   struct tr_error *err)
{
	struct event_rank *own = &events->by_rank[rank];

	if (GROW(own->communicators, own->communicator_capacity, own->communicator_count))
		return &own->communicators[own->communicator_count++];
	tr_no_memory(err, "communicators of rank %" PRIu32, rank);
	return NULL;
}

// ---- requests

static struct rank_events_request *rank_events_find_request(const struct event_requests *requests,
							    const uint64_t key[2], uint64_t hash)
{
	uint32_t at = tr_hash_first(hash);
	uint32_t place;

	while ((place = tr_hash_next(&requests->index, hash, &at)) != TR_HASH_NONE)
		if (memcmp(requests->entries[place].key, key,
			   sizeof(requests->entries[place].key)) == 0)
			return &requests->entries[place];
	return NULL;
}

static enum tr_status begin_request(struct events *events, uint32_t rank, uint64_t request,
				    uint32_t event, struct tr_error *err)
{
	struct event_requests *requests = events->requests;
	const uint64_t key[2] = {rank, request};
	struct rank_events_request *found;
	uint64_t hash;

	if (!tr_hash_reserve(&requests->index) ||
	    !GROW(requests->entries, requests->capacity, requests->count))
		return tr_no_memory(err, "requests");
	hash = tr_hash_words(&requests->index, key, 2);
	found = rank_events_find_request(requests, key, hash);
	if (!found) {
		found = &requests->entries[requests->count];
		memcpy(found->key, key, sizeof(key));
		tr_hash_add(&requests->index, hash, requests->count++);
	}
	found->event = event;
	return TR_OK;
}

// The event that began the request, which is pending no longer; EVENT_NOBODY if none did.
static uint32_t end_request(struct events *events, uint32_t rank, uint64_t request)
{
	const uint64_t key[2] = {rank, request};
	struct rank_events_request *found = rank_events_find_request(
		events->requests, key, tr_hash_words(&events->requests->index, key, 2));
	uint32_t event = found ? found->event : EVENT_NOBODY;

	if (found)
		found->event = EVENT_NOBODY;
	return event;
}

void events_cancel(struct events *events, uint32_t rank, uint64_t request)
{
	uint32_t event = end_request(events, rank, request);

	if (event != EVENT_NOBODY)
		events->by_rank[rank].events[event].kind = EVENT_CALL;
}

// ---- events

static bool has_communicator(const struct event *event)
{
	return event->kind != EVENT_CALL && event->kind != EVENT_WAIT;
}

static enum tr_status rank_events_check(const struct events *events, uint32_t rank,
					const struct event *event, struct tr_error *err)
{
	if (rank >= events->ranks)
		return tr_fail(err, "rank %" PRIu32 " of %" PRIu32 " ranks", rank, events->ranks);
	if (has_communicator(event) &&
	    event->communicator >= events->by_rank[rank].communicator_count)
		return tr_fail(err,
			       "rank %" PRIu32 ": expected one of %" PRIu32
			       " communicators, found %" PRIu32,
			       rank, events->by_rank[rank].communicator_count, event->communicator);
	if (events->total == EVENTS_MAX || events->by_rank[rank].count == EVENT_NOBODY - 1)
		return tr_fail(err, "more than %" PRIu64 " calls", EVENTS_MAX);
	return TR_OK;
}

// What the status of a finished request says of its receive.
static void rank_events_take_status(struct event *recv, const struct event *wait)
{
	if (recv->kind != EVENT_IRECV)
		return;
	if (recv->peer == EVENT_ANY)
		recv->peer = wait->peer;
	if (recv->tag == EVENT_ANY_TAG)
		recv->tag = wait->tag;
	if (wait->bytes != UINT64_MAX)
		recv->bytes = wait->bytes;
}

enum tr_status events_add(struct events *events, uint32_t rank, const struct event *event,
			  uint64_t request, struct tr_error *err)
{
	struct event_rank *own;
	struct event *added;

	if (rank_events_check(events, rank, event, err) != TR_OK)
		return TR_ERROR;
	own = &events->by_rank[rank];
	if (!GROW(own->events, own->capacity, own->count))
		return tr_no_memory(err, "calls of rank %" PRIu32, rank);
	added = &own->events[own->count];
	*added = *event;
	added->link = EVENT_NOBODY;
	added->guessed = false;
	added->pending = event->kind == EVENT_ISEND || event->kind == EVENT_IRECV || event->pending;
	if (added->end_ticks < added->begin_ticks) {
		added->end_ticks = added->begin_ticks;
		events->stepped++;
	}
	if (added->pending && begin_request(events, rank, request, own->count, err) != TR_OK)
		return TR_ERROR;
	if (event->kind == EVENT_WAIT) {
		added->link = end_request(events, rank, request);
		if (added->link == EVENT_NOBODY) {
			events->unknown_waits++;
			added->kind = EVENT_CALL;
		} else {
			rank_events_take_status(&own->events[added->link], event);
		}
	}
	own->count++;
	events->total++;
	return TR_OK;
}

enum tr_status events_add_counts(struct events *events, const uint64_t *counts, uint32_t count,
				 uint32_t *at, struct tr_error *err)
{
	uint64_t wanted = events->count_total + count;
	uint64_t last = events->count_total - events->count_last;

	if (count > 0 && last == count &&
	    memcmp(events->counts + events->count_last, counts, count * sizeof(*counts)) == 0) {
		*at = (uint32_t)events->count_last + 1;
		return TR_OK;
	}
	if (wanted >= UINT32_MAX)
		return tr_fail(err, "more than %" PRIu32 " counts of collective operations",
			       UINT32_MAX - 1);
	if (!GROW_TO(events->counts, events->count_capacity, wanted))
		return tr_no_memory(err, "%" PRIu64 " counts of collective operations", wanted);
	memcpy(events->counts + events->count_total, counts, count * sizeof(*counts));
	*at = (uint32_t)events->count_total + 1;
	events->count_last = events->count_total;
	events->count_total = wanted;
	return TR_OK;
}

enum tr_status events_word(struct events *events, const char *text, size_t bytes, uint32_t *number,
			   struct tr_error *err)
{
	for (*number = 0; *number < events->word_count; ++*number)
		if (strncmp(events->words[*number], text, bytes) == 0 &&
		    events->words[*number][bytes] == '\0')
			return TR_OK;
	if (!GROW(events->words, events->word_room, events->word_count))
		return tr_no_memory(err, "names");
	events->words[events->word_count] = strndup(text, bytes);
	if (!events->words[events->word_count])
		return tr_no_memory(err, "names");
	events->word_count++;
	return TR_OK;
}

void events_adopt(struct events *events, struct events *from)
{
	events->words = from->words;
	events->word_count = from->word_count;
	events->word_room = from->word_room;
	events->counts = from->counts;
	events->count_total = from->count_total;
	events->count_capacity = from->count_capacity;
	events->count_last = from->count_last;
	*from = (struct events){0};
}

uint64_t events_given(const struct events *events, uint32_t rank, const struct event *event)
{
	uint32_t count, place = event_communicator_of(events, rank, event)->place;
	uint64_t sum = 0;

	(void)events_members(events, rank, event->communicator, &count);
	switch (event->collective) {
	case COLLECTIVE_BARRIER: return 0;
	case COLLECTIVE_BCAST: return event->peer == place ? event->bytes : 0;
	case COLLECTIVE_SCATTER:
		if (event->peer != place)
			return 0;
		return event->counts > 0 ? events->counts[event->counts - 1] : event->bytes * count;
	case COLLECTIVE_ALLTOALL:
		if (event->counts == 0)
			return event->bytes * count;
		for (uint32_t i = 0; i < count; i++)
			sum += events->counts[event->counts - 1 + i];
		return sum;
	default: return event->bytes;
	}
}

#define YEAR_1973_S 94694400

void events_rebase(struct events *events)
{
	int64_t first = INT64_MAX;
	int64_t ticks_per_s = (int64_t)events->ticks_per_s;

	for (uint32_t rank = 0; rank < events->ranks; rank++)
		for (uint32_t i = 0; i < events->by_rank[rank].count; i++)
			if (events->by_rank[rank].events[i].begin_ticks < first)
				first = events->by_rank[rank].events[i].begin_ticks;
	if (first == INT64_MAX)
		return;
	first -= first % ticks_per_s;
	for (uint32_t rank = 0; rank < events->ranks; rank++)
		for (uint32_t i = 0; i < events->by_rank[rank].count; i++) {
			events->by_rank[rank].events[i].begin_ticks -= first;
			events->by_rank[rank].events[i].end_ticks -= first;
		}
	events->origin_s = first / ticks_per_s < YEAR_1973_S ? 0 : first / ticks_per_s;
}

// ---- the end: communicators, and ranks of the world

static enum tr_status finish_event(struct events *events, uint32_t rank, struct event *event,
				   struct tr_error *err)
{
	struct event_communicator *communicator;
	const uint32_t *members;
	uint32_t count;

	if (!has_communicator(event))
		return TR_OK;
	communicator = &events->by_rank[rank].communicators[event->communicator];
	if (communicator->id == EVENT_NOBODY) {
		event->kind = EVENT_CALL;
		events->unknown_members++;
		return TR_OK;
	}
	members = events_members(events, rank, event->communicator, &count);
	if (communicator->first_group > 0 &&
	    event->kind == EVENT_COLLECTIVE) { // another one in each group
		event->kind = EVENT_CALL;
		events->between++;
		return TR_OK;
	}
	if (communicator->first_group > 0 &&
	    communicator->place < communicator->first_group) { // to the second group
		members += communicator->first_group;
		count -= communicator->first_group;
	} else if (communicator->first_group > 0) {
		count = communicator->first_group;
	}
	if (event->peer < EVENT_NOBODY && event->peer >= count)
		return tr_fail(err,
			       "rank %" PRIu32 ": expected a rank of a communicator of %" PRIu32
			       ", found %" PRIu32,
			       rank, count, event->peer);
	if (event->kind == EVENT_COLLECTIVE) {
		if (event->counts > 0 && event->collective != COLLECTIVE_SCATTER &&
		    event->counts - 1 + (uint64_t)count > events->count_total)
			return tr_fail(err,
				       "rank %" PRIu32
				       ": fewer counts than the communicator's %" PRIu32 " ranks",
				       rank, count);
		if (event->counts > 0 && (event->collective == COLLECTIVE_GATHER ||
					  event->collective == COLLECTIVE_ALLGATHER)) {
			event->bytes = events->counts[event->counts - 1 + communicator->place];
			event->counts = 0;
		}
		event->tag = (int32_t)communicator->collectives++;
	} else if (event->peer < EVENT_NOBODY) {
		event->peer = members[event->peer];
	} else if (event->peer == EVENT_NOBODY) {
		event->kind = EVENT_CALL;
	}
	return TR_OK;
}

enum tr_status events_finish(struct events *events, struct tr_error *err)
{
	if (events_resolve_communicators(events, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t rank = 0; rank < events->ranks; rank++)
		for (uint32_t i = 0; i < events->by_rank[rank].count; i++)
			if (finish_event(events, rank, &events->by_rank[rank].events[i], err) !=
			    TR_OK)
				return TR_ERROR;
	return TR_OK;
}
