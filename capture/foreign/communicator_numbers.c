// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks name communicators by numbers of their own. Calls that make one are collective over its
// members, so the k-th communicator with the same members, or the k-th split of the same parent, is
// the same at all of them.
#include <stdlib.h>
#include <string.h>

#include "foreign/communicators.h"
#include "foreign/groups.h"
#include "value/order.h"

// ---- numbers of those whose members the trace names: a list of members, and which of the rank's
// with that list

// How often a list was seen at a rank.
struct communicator_numbers_seen {
	uint32_t rank; // plus 1, of the count
	uint32_t count;
	uint32_t most;	// of any rank
	uint32_t first; // number of the first communicator
};

static uint32_t see(struct communicator_numbers_seen *seen, uint32_t rank)
{
	if (seen->rank != rank + 1)
		*seen = (struct communicator_numbers_seen){
			.rank = rank + 1, .most = seen->most, .first = seen->first};
	if (++seen->count > seen->most)
		seen->most = seen->count;
	return seen->count - 1;
}

static void number_lists(struct events *events, struct communicator_numbers_seen *seen)
{
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t rank = 0; rank < events->ranks; rank++)
			for (uint32_t i = 0; i < events->by_rank[rank].communicator_count; i++) {
				struct event_communicator *own =
					&events->by_rank[rank].communicators[i];

				if (own->parent == EVENT_NOBODY)
					own->id = seen[own->members].first +
						  see(&seen[own->members], rank);
			}
		for (uint32_t list = 0; pass == 0 && list < events_lists(events); list++) {
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
	bool between, second; // the parent, and so what is made, is between two groups; from the
			      // second one
	int32_t key;
	uint32_t place; // in the parent
	uint32_t rank;
	uint32_t number; // the rank's own
};

static int by_depth(const void *a, const void *b)
{
	const struct split *x = a, *y = b;

	return ORDER(x->depth, y->depth);
}

static int communicator_numbers_by_group(const void *a, const void *b)
{
	const struct split *x = a, *y = b;

	ORDER_BY(x->parent, y->parent);
	ORDER_BY(x->nth, y->nth);
	ORDER_BY(x->color, y->color);
	ORDER_BY(x->second, y->second);
	ORDER_BY(x->key, y->key);
	return ORDER(x->place, y->place);
}

static bool same_group(const struct split *a, const struct split *b)
{
	return a->parent == b->parent && a->nth == b->nth && a->color == b->color;
}

static struct event_communicator *of(const struct events *events, const struct split *split)
{
	return &events->by_rank[split->rank].communicators[split->number];
}

// Members by what they were told of their places, if that is one place each; scratch has room for
// as many more.
static void take_said(const struct events *events, const struct split *splits, uint32_t count,
		      uint32_t *scratch)
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

static bool number_group(struct events *events, const struct split *splits, uint32_t count,
			 uint32_t *scratch)
{
	uint32_t list = splits->list, first_group = 0;

	if (splits->parent == EVENT_NOBODY || splits->color == EVENT_NO_COLOR)
		return true;
	while (splits[count - 1].second && !splits[first_group].second)
		first_group++;
	if (splits[count - 1].between && first_group == 0)
		return true; // none of the other group
	for (uint32_t i = 0; i < count; i++) {
		scratch[i] = splits[i].rank;
		of(events, &splits[i])->place = list == EVENT_NOBODY ? i : (uint32_t)splits[i].key;
	}
	if (list == EVENT_NOBODY) {
		if (first_group == 0)
			take_said(events, splits, count, scratch);
		list = events_enter_list(events, scratch, count);
	}
	if (list == EVENT_NOBODY)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		of(events, &splits[i])->members = list;
		of(events, &splits[i])->id = events->communicators;
		of(events, &splits[i])->first_group = first_group;
	}
	events->communicators++;
	return true;
}

// Of a group: its members are its color, the rank's place among them the key. False: out of memory.
static bool color_group(struct events *events, struct split *split,
			const struct event_communicator *made)
{
	uint32_t *members;
	uint32_t count;
	enum tr_status status = events_group_members(events, split->rank, made->from, &members,
						     &count);

	split->color = EVENT_NO_COLOR;
	if (status == TR_OK) {
		for (uint32_t i = 0; i < count; i++)
			if (members[i] == split->rank) {
				split->list = events_enter_list(events, members, count);
				split->color = (int32_t)split->list;
				split->key = (int32_t)i;
			}
		free(members);
	}
	return status != TR_ERROR &&
	       (split->color == EVENT_NO_COLOR || split->list != EVENT_NOBODY);
}

// Of a grid: ranks that differ only in the sides that are kept have the same color.
static void color_part(const struct events *events, struct split *split,
		       const struct event_communicator *made)
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
static bool number_depth(struct events *events, struct split *splits, size_t count,
			 uint32_t *scratch)
{
	for (size_t i = 0; i < count; i++) {
		const struct event_communicator *made = of(events, &splits[i]);
		const struct event_communicator *parent =
			&events->by_rank[splits[i].rank].communicators[made->parent];

		splits[i].parent = parent->id;
		splits[i].place = parent->place;
		splits[i].between = parent->first_group > 0 && made->made != EVENT_MADE_BY_MERGE;
		splits[i].second = splits[i].between && parent->place >= parent->first_group;
		if (splits[i].between && made->made != EVENT_MADE_BY_SPLIT)
			splits[i].color = EVENT_NO_COLOR; // not known here
		else if (made->made == EVENT_MADE_OF_GRID)
			color_part(events, &splits[i], made);
		else if (made->made == EVENT_MADE_OF_GROUP &&
			 !color_group(events, &splits[i], made))
			return false;
	}
	qsort(splits, count, sizeof(*splits), communicator_numbers_by_group);
	for (size_t first = 0, end; first < count; first = end) {
		for (end = first + 1; end < count && same_group(&splits[first], &splits[end]);)
			end++;
		if (!number_group(events, &splits[first], (uint32_t)(end - first), scratch))
			return false;
	}
	return true;
}

static size_t communicator_numbers_gather(const struct events *events, struct split *splits)
{
	size_t count = 0;

	for (uint32_t rank = 0; rank < events->ranks; rank++)
		for (uint32_t i = 0; i < events->by_rank[rank].communicator_count; i++) {
			const struct event_communicator *own =
				&events->by_rank[rank].communicators[i];

			if (own->parent == EVENT_NOBODY || own->id != EVENT_NOBODY ||
			    own->made == EVENT_MADE_BETWEEN)
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

// Those that are not numbered yet, of parents that are.
static bool number_splits(struct events *events)
{
	size_t count = communicator_numbers_gather(events, NULL);
	struct split *splits = reallocarray(NULL, count + 1, sizeof(*splits));
	uint32_t *scratch = reallocarray(NULL, 2 * count + 1, sizeof(*scratch));
	bool good = splits && scratch;

	if (good) {
		communicator_numbers_gather(events, splits);
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
	struct communicator_numbers_seen *seen = calloc((size_t)events_lists(events) + 1,
							sizeof(*seen));
	bool good = seen;

	if (good)
		number_lists(events, seen);
	free(seen);
	// Those between two groups have both, once these are known; others are made from them.
	for (uint32_t paired = 1; good && paired > 0;)
		good = number_splits(events) && events_pair_groups(events, &paired);
	return good ? TR_OK : tr_no_memory(err, "communicators");
}
