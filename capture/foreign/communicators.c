// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of members, and the communicators of a rank as its calls make them.
#include "foreign/communicators.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/events_pipe.h"
#include "foreign/groups.h"
#include "value/grow.h"
#include "value/hash.h"

struct list {
	size_t at; // in ranks
	uint32_t count;
};

struct event_members {
	uint32_t *ranks;
	size_t used, room;
	struct list *lists;
	uint32_t count, capacity;
	struct tr_hash index;
};

static uint64_t hash_list(const struct event_members *members, const uint32_t *ranks,
			  uint32_t count)
{
	uint64_t value = tr_hash_words(&members->index, ranks, count / 2) ^ count;

	return tr_hash_fold(value ^ (count % 2 ? (uint64_t)ranks[count - 1] + 1 : 0),
			    0x9e3779b97f4a7c15u);
}

static bool communicators_has_room(struct event_members *members, uint32_t count)
{
	// One more, so that an empty list has a place that is not NULL.
	if (!GROW(members->ranks, members->room, members->used + count))
		return false;
	if (!GROW(members->lists, members->capacity, members->count))
		return false;
	return tr_hash_reserve(&members->index);
}

uint32_t events_enter_list(struct events *events, const uint32_t *ranks, uint32_t count)
{
	struct event_members *members = events->members;
	uint64_t hash;
	uint32_t at, place;

	if (!communicators_has_room(members, count))
		return EVENT_NOBODY;
	hash = hash_list(members, ranks, count);
	at = tr_hash_first(hash);
	while ((place = tr_hash_next(&members->index, hash, &at)) != TR_HASH_NONE) {
		const struct list *list = &members->lists[place];

		if (list->count == count &&
		    memcmp(members->ranks + list->at, ranks, count * sizeof(*ranks)) == 0)
			return place;
	}
	memcpy(members->ranks + members->used, ranks, count * sizeof(*ranks));
	members->lists[members->count] = (struct list){members->used, count};
	members->used += count;
	tr_hash_add(&members->index, hash, members->count);
	return members->count++;
}

enum tr_status events_open_world(struct events *events, struct tr_error *err)
{
	uint32_t *ranks = reallocarray(NULL, (size_t)events->ranks + 1, sizeof(*ranks));
	uint32_t list = EVENT_NOBODY;

	events->members = calloc(1, sizeof(*events->members));
	for (uint32_t rank = 0; ranks && rank < events->ranks; rank++)
		ranks[rank] = rank;
	if (ranks && events->members)
		list = events_enter_list(events, ranks, events->ranks);
	free(ranks);
	if (list == EVENT_NOBODY)
		return tr_no_memory(err, "%" PRIu32 " ranks", events->ranks);
	for (uint32_t rank = 0; rank < events->ranks; rank++) {
		struct event_communicator *world = events_new_communicator(events, rank, err);

		if (!world)
			return TR_ERROR;
		*world = (struct event_communicator){.members = list,
						     .parent = EVENT_NOBODY,
						     .said = EVENT_NOBODY,
						     .id = EVENT_NOBODY,
						     .place = rank};
	}
	return TR_OK;
}

enum tr_status events_communicator(struct events *events, uint32_t rank, const uint32_t *members,
				   uint32_t count, uint32_t *number, struct tr_error *err)
{
	struct event_communicator *made;
	uint32_t place = EVENT_NOBODY;
	uint32_t list;

	for (uint32_t i = 0; i < count; i++) {
		if (members[i] >= events->ranks)
			return tr_fail(err, "a communicator with rank %" PRIu32 " of %" PRIu32,
				       members[i], events->ranks);
		if (members[i] == rank)
			place = i;
	}
	if (place == EVENT_NOBODY)
		return tr_fail(err, "a communicator of rank %" PRIu32 " without it", rank);
	list = events_enter_list(events, members, count);
	if (list == EVENT_NOBODY)
		return tr_no_memory(err, "members of communicators");
	made = events_new_communicator(events, rank, err);
	if (!made)
		return TR_ERROR;
	*made = (struct event_communicator){.members = list,
					    .parent = EVENT_NOBODY,
					    .said = EVENT_NOBODY,
					    .id = EVENT_NOBODY,
					    .place = place};
	*number = events->by_rank[rank].communicator_count - 1;
	return TR_OK;
}

// One that a call of all members of parent made; NULL after an error.
static struct event_communicator *make_from(struct events *events, uint32_t rank, uint32_t parent,
					    uint8_t how, uint32_t *number, struct tr_error *err)
{
	struct event_communicator *made;
	struct event_communicator *from;

	if (parent >= events->by_rank[rank].communicator_count) {
		tr_fail(err,
			"rank %" PRIu32 ": expected one of %" PRIu32
			" communicators, found %" PRIu32,
			rank, events->by_rank[rank].communicator_count, parent);
		return NULL;
	}
	made = events_new_communicator(events, rank, err);
	if (!made)
		return NULL;
	from = &events->by_rank[rank].communicators[parent];
	*made = (struct event_communicator){.members = EVENT_NOBODY,
					    .parent = parent,
					    .made = how,
					    .said = EVENT_NOBODY,
					    .id = EVENT_NOBODY,
					    .depth = from->depth + 1,
					    .nth = from->splits++};
	*number = events->by_rank[rank].communicator_count - 1;
	return made;
}

enum tr_status events_split(struct events *events, uint32_t rank, uint32_t parent, int32_t color,
			    int32_t key, uint32_t *number, struct tr_error *err)
{
	struct event_communicator *made = make_from(events, rank, parent, EVENT_MADE_BY_SPLIT,
						    number, err);

	if (!made)
		return TR_ERROR;
	made->color = color;
	made->key = key;
	return TR_OK;
}

enum tr_status events_create(struct events *events, uint32_t rank, uint32_t parent, uint32_t group,
			     uint32_t *number, struct tr_error *err)
{
	struct event_communicator *made = make_from(events, rank, parent, EVENT_MADE_OF_GROUP,
						    number, err);

	if (!made)
		return TR_ERROR;
	made->from = group;
	if (events->by_rank[rank].groups[group].depth >= made->depth)
		made->depth = events->by_rank[rank].groups[group].depth + 1;
	return TR_OK;
}

// Numbers that say of whom it is made.
static enum tr_status keep_numbers(struct events *events, struct event_communicator *made,
				   const int32_t *numbers, uint32_t count, struct tr_error *err)
{
	uint64_t first;

	if (events_add_numbers(events, numbers, count, &first, err) != TR_OK)
		return TR_ERROR;
	if (first > UINT32_MAX)
		return tr_fail(err, "more than %" PRIu32 " numbers of groups and grids",
			       UINT32_MAX);
	made->from = (uint32_t)first;
	return TR_OK;
}

enum tr_status events_part(struct events *events, uint32_t rank, uint32_t parent,
			   const uint32_t *sides, uint32_t count, uint32_t kept, uint32_t *number,
			   struct tr_error *err)
{
	struct event_communicator *made = make_from(events, rank, parent, EVENT_MADE_OF_GRID,
						    number, err);
	const int32_t head[2] = {(int32_t)count, (int32_t)kept};
	uint64_t rest;

	if (!made || keep_numbers(events, made, head, 2, err) != TR_OK)
		return TR_ERROR;
	return events_add_numbers(events, (const int32_t *)sides, count, &rest, err);
}

enum tr_status events_between(struct events *events, uint32_t rank, uint32_t local,
			      struct event_leaders leaders, uint32_t *number, struct tr_error *err)
{
	struct event_communicator *made = make_from(events, rank, local, EVENT_MADE_BETWEEN, number,
						    err);
	const int32_t numbers[] = {leaders.local, (int32_t)leaders.peers, leaders.remote,
				   leaders.tag};

	return made ? keep_numbers(events, made, numbers, sizeof(numbers) / sizeof(*numbers), err)
		    : TR_ERROR;
}

enum tr_status events_merge(struct events *events, uint32_t rank, uint32_t between, bool high,
			    uint32_t *number, struct tr_error *err)
{
	struct event_communicator *made = make_from(events, rank, between, EVENT_MADE_BY_MERGE,
						    number, err);

	if (!made)
		return TR_ERROR;
	made->key = high;
	return TR_OK;
}

void events_said(struct events *events, uint32_t rank, uint32_t number, uint32_t place)
{
	events->by_rank[rank].communicators[number].said = place;
}

uint32_t events_lists(const struct events *events)
{
	return events->members->count;
}

uint32_t events_place(const struct events *events, uint32_t rank, uint32_t number)
{
	const struct event_communicator *own = &events->by_rank[rank].communicators[number];

	return own->members == EVENT_NOBODY ? EVENT_NOBODY : own->place;
}

const uint32_t *events_members(const struct events *events, uint32_t rank, uint32_t number,
			       uint32_t *count)
{
	const struct list *list =
		&events->members->lists[events->by_rank[rank].communicators[number].members];

	*count = list->count;
	return events->members->ranks + list->at;
}

bool events_send_members(const struct events *events, int fd)
{
	const uint64_t counts[2] = {events->members->used, events->members->count};

	return events_pipe_put(fd, counts, sizeof(counts)) &&
	       events_pipe_put(fd, events->members->ranks,
			       counts[0] * sizeof(*events->members->ranks)) &&
	       events_pipe_put(fd, events->members->lists,
			       counts[1] * sizeof(*events->members->lists));
}

bool events_receive_members(struct events *events, int fd)
{
	struct event_members *members = events->members = calloc(1, sizeof(*events->members));
	uint64_t counts[2];

	if (!members || !events_pipe_get(fd, counts, sizeof(counts)) ||
	    !events_pipe_get_array(fd, &members->ranks, counts[0], sizeof(*members->ranks)) ||
	    !events_pipe_get_array(fd, &members->lists, counts[1], sizeof(*members->lists)))
		return false;
	members->used = members->room = counts[0];
	members->count = members->capacity = (uint32_t)counts[1];
	return true;
}

void events_clear_members(struct events *events)
{
	if (!events->members)
		return;
	free(events->members->ranks);
	free(events->members->lists);
	tr_hash_clear(&events->members->index);
	free(events->members);
}
