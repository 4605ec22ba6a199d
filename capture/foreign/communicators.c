// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks name communicators by numbers of their own. Calls that make one are collective over its members, so the k-th
// communicator with the same members, or the k-th split of the same parent, is the same at all of them.
#include "foreign/communicators.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/events_pipe.h"
#include "foreign/groups.h"
#include "trace/hash.h"

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

static uint64_t hash_list(const struct event_members *members, const uint32_t *ranks, uint32_t count)
{
	uint64_t value = tr_hash_words(&members->index, ranks, count / 2) ^ count;

	return tr_hash_fold(value ^ (count % 2 ? (uint64_t)ranks[count - 1] + 1 : 0), 0x9e3779b97f4a7c15u);
}

static bool has_room(struct event_members *members, uint32_t count)
{
	if (members->used + count > members->room) {
		size_t room = members->used + count + members->room / 2;
		uint32_t *more = reallocarray(members->ranks, room, sizeof(*more));

		if (!more)
			return false;
		members->ranks = more;
		members->room = room;
	}
	if (members->count == members->capacity) {
		uint32_t capacity = members->capacity * 2 + 16;
		struct list *more = reallocarray(members->lists, capacity, sizeof(*more));

		if (!more)
			return false;
		members->lists = more;
		members->capacity = capacity;
	}
	return tr_hash_reserve(&members->index);
}

// The number of a list of members, which is entered if it is new; EVENT_NOBODY: out of memory.
static uint32_t enter_list(struct event_members *members, const uint32_t *ranks, uint32_t count)
{
	uint64_t hash;
	uint32_t at, place;

	if (!has_room(members, count))
		return EVENT_NOBODY;
	hash = hash_list(members, ranks, count);
	at = tr_hash_first(hash);
	while ((place = tr_hash_next(&members->index, hash, &at)) != TR_HASH_NONE) {
		const struct list *list = &members->lists[place];

		if (list->count == count && memcmp(members->ranks + list->at, ranks, count * sizeof(*ranks)) == 0)
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
		list = enter_list(events->members, ranks, events->ranks);
	free(ranks);
	if (list == EVENT_NOBODY)
		return tr_no_memory(err, "%" PRIu32 " ranks", events->ranks);
	for (uint32_t rank = 0; rank < events->ranks; rank++) {
		struct event_communicator *world = events_new_communicator(events, rank, err);

		if (!world)
			return TR_ERROR;
		*world = (struct event_communicator){
			.members = list, .parent = EVENT_NOBODY, .said = EVENT_NOBODY, .id = EVENT_NOBODY, .place = rank};
	}
	return TR_OK;
}

enum tr_status events_communicator(struct events *events, uint32_t rank, const uint32_t *members, uint32_t count,
				   uint32_t *number, struct tr_error *err)
{
	struct event_communicator *made;
	uint32_t place = EVENT_NOBODY;
	uint32_t list;

	for (uint32_t i = 0; i < count; i++) {
		if (members[i] >= events->ranks)
			return tr_fail(err, "a communicator with rank %" PRIu32 " of %" PRIu32, members[i], events->ranks);
		if (members[i] == rank)
			place = i;
	}
	if (place == EVENT_NOBODY)
		return tr_fail(err, "a communicator of rank %" PRIu32 " without it", rank);
	list = enter_list(events->members, members, count);
	if (list == EVENT_NOBODY)
		return tr_no_memory(err, "members of communicators");
	made = events_new_communicator(events, rank, err);
	if (!made)
		return TR_ERROR;
	*made = (struct event_communicator){
		.members = list, .parent = EVENT_NOBODY, .said = EVENT_NOBODY, .id = EVENT_NOBODY, .place = place};
	*number = events->by_rank[rank].communicator_count - 1;
	return TR_OK;
}

// One that a call of all members of parent made; NULL after an error.
static struct event_communicator *make_from(struct events *events, uint32_t rank, uint32_t parent, uint8_t how,
					    uint32_t *number, struct tr_error *err)
{
	struct event_communicator *made;
	struct event_communicator *from;

	if (parent >= events->by_rank[rank].communicator_count) {
		tr_fail(err, "rank %" PRIu32 ": expected one of %" PRIu32 " communicators, found %" PRIu32, rank,
			events->by_rank[rank].communicator_count, parent);
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

enum tr_status events_split(struct events *events, uint32_t rank, uint32_t parent, int32_t color, int32_t key, uint32_t *number,
			    struct tr_error *err)
{
	struct event_communicator *made = make_from(events, rank, parent, EVENT_MADE_BY_SPLIT, number, err);

	if (!made)
		return TR_ERROR;
	made->color = color;
	made->key = key;
	return TR_OK;
}

enum tr_status events_create(struct events *events, uint32_t rank, uint32_t parent, uint32_t group, uint32_t *number,
			     struct tr_error *err)
{
	struct event_communicator *made = make_from(events, rank, parent, EVENT_MADE_OF_GROUP, number, err);

	if (!made)
		return TR_ERROR;
	made->from = group;
	if (events->by_rank[rank].groups[group].depth >= made->depth)
		made->depth = events->by_rank[rank].groups[group].depth + 1;
	return TR_OK;
}

enum tr_status events_part(struct events *events, uint32_t rank, uint32_t parent, const uint32_t *sides, uint32_t count,
			   uint32_t kept, uint32_t *number, struct tr_error *err)
{
	struct event_communicator *made = make_from(events, rank, parent, EVENT_MADE_OF_GRID, number, err);
	const int32_t head[2] = {(int32_t)count, (int32_t)kept};
	uint64_t first, rest;

	if (!made || events_add_numbers(events, head, 2, &first, err) != TR_OK ||
	    events_add_numbers(events, (const int32_t *)sides, count, &rest, err) != TR_OK)
		return TR_ERROR;
	if (first > UINT32_MAX)
		return tr_fail(err, "more than %" PRIu32 " numbers of groups and grids", UINT32_MAX);
	made->from = (uint32_t)first;
	return TR_OK;
}

void events_said(struct events *events, uint32_t rank, uint32_t number, uint32_t place)
{
	events->by_rank[rank].communicators[number].said = place;
}

uint32_t events_place(const struct events *events, uint32_t rank, uint32_t number)
{
	const struct event_communicator *own = &events->by_rank[rank].communicators[number];

	return own->members == EVENT_NOBODY ? EVENT_NOBODY : own->place;
}

const uint32_t *events_members(const struct events *events, uint32_t rank, uint32_t number, uint32_t *count)
{
	const struct list *list = &events->members->lists[events->by_rank[rank].communicators[number].members];

	*count = list->count;
	return events->members->ranks + list->at;
}

bool events_send_members(const struct events *events, int fd)
{
	const uint64_t counts[2] = {events->members->used, events->members->count};

	return events_pipe_put(fd, counts, sizeof(counts)) &&
	       events_pipe_put(fd, events->members->ranks, counts[0] * sizeof(*events->members->ranks)) &&
	       events_pipe_put(fd, events->members->lists, counts[1] * sizeof(*events->members->lists));
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

// ---- numbers of those whose members the trace names: a list of members, and which of the rank's with that list

// How often a list was seen at a rank.
struct seen {
	uint32_t rank; // plus 1, of the count
	uint32_t count;
	uint32_t most;	// of any rank
	uint32_t first; // number of the first communicator
};

static uint32_t see(struct seen *seen, uint32_t rank)
{
	if (seen->rank != rank + 1)
		*seen = (struct seen){.rank = rank + 1, .most = seen->most, .first = seen->first};
	if (++seen->count > seen->most)
		seen->most = seen->count;
	return seen->count - 1;
}

static void number_lists(struct events *events, struct seen *seen)
{
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t rank = 0; rank < events->ranks; rank++)
			for (uint32_t i = 0; i < events->by_rank[rank].communicator_count; i++) {
				struct event_communicator *own = &events->by_rank[rank].communicators[i];

				if (own->parent == EVENT_NOBODY)
					own->id = seen[own->members].first + see(&seen[own->members], rank);
			}
		for (uint32_t list = 0; pass == 0 && list < events->members->count; list++) {
			seen[list].first = events->communicators;
			seen[list].rank = 0;
			events->communicators += seen[list].most;
		}
	}
}

// ---- those made by calls of all members of another

struct split {
	uint32_t depth;
	uint32_t parent; // its number, EVENT_NOBODY if that is not known
	uint32_t nth;
	uint32_t list; // of its members, EVENT_NOBODY if they follow from colors
	int32_t color;
	int32_t key;
	uint32_t place; // in the parent
	uint32_t rank;
	uint32_t number; // the rank's own
};

static int by_depth(const void *a, const void *b)
{
	const struct split *x = a, *y = b;

	return (x->depth > y->depth) - (x->depth < y->depth);
}

#define COMPARE(field) \
	if (x->field != y->field) \
	return x->field < y->field ? -1 : 1

static int by_group(const void *a, const void *b)
{
	const struct split *x = a, *y = b;

	COMPARE(parent);
	COMPARE(nth);
	COMPARE(color);
	COMPARE(key);
	COMPARE(place);
	return 0;
}

static bool same_group(const struct split *a, const struct split *b)
{
	return a->parent == b->parent && a->nth == b->nth && a->color == b->color;
}

static struct event_communicator *of(const struct events *events, const struct split *split)
{
	return &events->by_rank[split->rank].communicators[split->number];
}

// Members by what they were told of their places, if that is one place each; scratch has room for as many more.
static void take_said(const struct events *events, const struct split *splits, uint32_t count, uint32_t *scratch)
{
	uint32_t *said = scratch + count;

	for (uint32_t i = 0; i < count; i++)
		said[i] = EVENT_NOBODY;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t place = of(events, &splits[i])->said;

		if (place >= count || said[place] != EVENT_NOBODY)
			return;
		said[place] = splits[i].rank;
	}
	memcpy(scratch, said, count * sizeof(*scratch));
	for (uint32_t i = 0; i < count; i++)
		of(events, &splits[i])->place = of(events, &splits[i])->said;
}

static bool number_group(struct events *events, const struct split *splits, uint32_t count, uint32_t *scratch)
{
	uint32_t list = splits->list;

	if (splits->parent == EVENT_NOBODY || splits->color == EVENT_NO_COLOR)
		return true;
	for (uint32_t i = 0; i < count; i++) {
		scratch[i] = splits[i].rank;
		of(events, &splits[i])->place = list == EVENT_NOBODY ? i : (uint32_t)splits[i].key;
	}
	if (list == EVENT_NOBODY) {
		take_said(events, splits, count, scratch);
		list = enter_list(events->members, scratch, count);
	}
	if (list == EVENT_NOBODY)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		of(events, &splits[i])->members = list;
		of(events, &splits[i])->id = events->communicators;
	}
	events->communicators++;
	return true;
}

// Of a group: its members are its color, the rank's place among them the key. False: out of memory.
static bool color_group(struct events *events, struct split *split, const struct event_communicator *made)
{
	uint32_t *members;
	uint32_t count;
	enum tr_status status = events_group_members(events, split->rank, made->from, &members, &count);

	split->color = EVENT_NO_COLOR;
	if (status == TR_OK) {
		for (uint32_t i = 0; i < count; i++)
			if (members[i] == split->rank) {
				split->list = enter_list(events->members, members, count);
				split->color = (int32_t)split->list;
				split->key = (int32_t)i;
			}
		free(members);
	}
	return status != TR_ERROR && (split->color == EVENT_NO_COLOR || split->list != EVENT_NOBODY);
}

// Of a grid: ranks that differ only in the sides that are kept have the same color.
static void color_part(const struct events *events, struct split *split, const struct event_communicator *made)
{
	const int32_t *head = events->numbers + made->from;
	uint32_t factor[2] = {1, 1}, sum[2] = {0, 0}, rest = split->place;

	for (int32_t i = head[0]; i-- > 0;) {
		const uint32_t side = (uint32_t)head[2 + i];
		const bool keeps = (uint32_t)head[1] >> i & 1;

		sum[keeps] += rest % side * factor[keeps];
		factor[keeps] *= side;
		rest /= side;
	}
	split->color = (int32_t)sum[0];
	split->key = (int32_t)sum[1];
}

// Splits of one depth: their parents are known.
static bool number_depth(struct events *events, struct split *splits, size_t count, uint32_t *scratch)
{
	for (size_t i = 0; i < count; i++) {
		const struct event_communicator *made = of(events, &splits[i]);
		const struct event_communicator *parent = &events->by_rank[splits[i].rank].communicators[made->parent];

		splits[i].parent = parent->id;
		splits[i].place = parent->place;
		if (made->made == EVENT_MADE_OF_GRID)
			color_part(events, &splits[i], made);
		if (made->made == EVENT_MADE_OF_GROUP && !color_group(events, &splits[i], made))
			return false;
	}
	qsort(splits, count, sizeof(*splits), by_group);
	for (size_t first = 0, end; first < count; first = end) {
		for (end = first + 1; end < count && same_group(&splits[first], &splits[end]);)
			end++;
		if (!number_group(events, &splits[first], (uint32_t)(end - first), scratch))
			return false;
	}
	return true;
}

static size_t gather(const struct events *events, struct split *splits)
{
	size_t count = 0;

	for (uint32_t rank = 0; rank < events->ranks; rank++)
		for (uint32_t i = 0; i < events->by_rank[rank].communicator_count; i++) {
			const struct event_communicator *own = &events->by_rank[rank].communicators[i];

			if (own->parent == EVENT_NOBODY)
				continue;
			if (splits)
				splits[count] = (struct split){.depth = own->depth,
							       .nth = own->nth,
							       .list = EVENT_NOBODY,
							       .color = own->color,
							       .key = own->key,
							       .rank = rank,
							       .number = i};
			count++;
		}
	return count;
}

static bool number_splits(struct events *events)
{
	size_t count = gather(events, NULL);
	struct split *splits = reallocarray(NULL, count + 1, sizeof(*splits));
	uint32_t *scratch = reallocarray(NULL, 2 * count + 1, sizeof(*scratch));
	bool good = splits && scratch;

	if (good) {
		gather(events, splits);
		qsort(splits, count, sizeof(*splits), by_depth);
	}
	for (size_t first = 0, end; good && first < count; first = end) {
		for (end = first + 1; end < count && splits[end].depth == splits[first].depth;)
			end++;
		good = number_depth(events, &splits[first], end - first, scratch);
	}
	free(splits);
	free(scratch);
	return good;
}

enum tr_status events_resolve_communicators(struct events *events, struct tr_error *err)
{
	struct seen *seen = calloc((size_t)events->members->count + 1, sizeof(*seen));
	bool good = seen;

	if (good)
		number_lists(events, seen);
	free(seen);
	if (good && number_splits(events))
		return TR_OK;
	return tr_no_memory(err, "communicators");
}
