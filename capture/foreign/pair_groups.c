// SPDX-License-Identifier: GPL-3.0-or-later
// Communicators between two groups (MPI_Intercomm_create, MPI 4.0, section 7.6.2). All members of a
// group call with their own communicator and the place of its leader; the leaders, and they alone,
// say who leads the other group, by its place in a communicator that both are in, and a tag. So the
// k-th of a leader's calls for another one and a tag belongs to the k-th of that one's for it.
#include <stdlib.h>
#include <string.h>

#include "foreign/communicators.h"
#include "value/order.h"

// A rank's call.
struct pair_groups_end {
	uint32_t local; // number of its group's communicator
	uint32_t nth;	// of those made from it
	uint32_t rank;
	uint32_t number; // the rank's own
};

// A group, by the call of its leader.
struct pair_groups_side {
	size_t first, count; // of ends
	uint32_t low, high;  // the two leaders, smaller first
	int32_t tag;
	uint32_t leader;
	uint32_t number;      // the leader's own: the order of its calls
	uint32_t rank, group; // the communicator of its members, as one of them numbers it
};

static int end_compare(const void *a, const void *b)
{
	const struct pair_groups_end *x = a, *y = b;

	ORDER_BY(x->local, y->local);
	ORDER_BY(x->nth, y->nth);
	return ORDER(x->rank, y->rank);
}

static int side_compare(const void *a, const void *b)
{
	const struct pair_groups_side *x = a, *y = b;

	ORDER_BY(x->low, y->low);
	ORDER_BY(x->high, y->high);
	ORDER_BY(x->tag, y->tag);
	ORDER_BY(x->leader, y->leader);
	return ORDER(x->number, y->number);
}

// The calls whose group is known, of each rank up to the first whose group is not: those after it
// may not be the k-th.
static size_t end_gather(const struct events *events, struct pair_groups_end *ends)
{
	size_t count = 0;

	for (uint32_t rank = 0; rank < events->ranks; rank++) {
		const struct event_communicator *own = events->by_rank[rank].communicators;

		for (uint32_t i = 0; i < events->by_rank[rank].communicator_count; i++) {
			if (own[i].made != EVENT_MADE_BETWEEN || own[i].id != EVENT_NOBODY)
				continue;
			if (own[own[i].parent].id == EVENT_NOBODY ||
			    own[own[i].parent].first_group > 0)
				break;
			if (ends)
				ends[count] = (struct pair_groups_end){own[own[i].parent].id,
								       own[i].nth, rank, i};
			count++;
		}
	}
	return count;
}

// Of the calls on one communicator; false: the leader's is not among them, or names no other
// leader.
static bool side_make(const struct events *events, const struct pair_groups_end *ends, size_t first,
		      size_t count, struct pair_groups_side *side)
{
	const struct pair_groups_end *any = &ends[first];
	const struct event_communicator *own = events->by_rank[any->rank].communicators;
	const int32_t *said = events->numbers + own[any->number].from;
	const uint32_t *ranks, *peers;
	uint32_t rank_count, peer_count;

	*side = (struct pair_groups_side){.first = first,
					  .count = count,
					  .rank = any->rank,
					  .group = own[any->number].parent};
	ranks = events_members(events, side->rank, side->group, &rank_count);
	if (said[0] < 0 || (uint32_t)said[0] >= rank_count)
		return false;
	side->leader = ranks[said[0]];
	while (count > 0 && any->rank != side->leader)
		any++, count--;
	if (count == 0)
		return false;
	own = events->by_rank[any->rank].communicators;
	said = events->numbers + own[any->number].from;
	side->number = any->number;
	side->tag = said[3];
	if ((uint32_t)said[1] >= events->by_rank[any->rank].communicator_count ||
	    own[said[1]].id == EVENT_NOBODY || own[said[1]].first_group > 0)
		return false;
	peers = events_members(events, any->rank, (uint32_t)said[1], &peer_count);
	if (said[2] < 0 || (uint32_t)said[2] >= peer_count || peers[said[2]] == side->leader)
		return false;
	side->low = side->leader < peers[said[2]] ? side->leader : peers[said[2]];
	side->high = side->leader < peers[said[2]] ? peers[said[2]] : side->leader;
	return true;
}

static size_t side_gather(const struct events *events, const struct pair_groups_end *ends,
			  size_t count, struct pair_groups_side *sides)
{
	size_t found = 0;

	for (size_t first = 0, end; first < count; first = end) {
		for (end = first + 1; end < count && ends[end].local == ends[first].local &&
				      ends[end].nth == ends[first].nth;)
			end++;
		found += side_make(events, ends, first, end - first, &sides[found]);
	}
	return found;
}

// The members are those of both, the first one's before the second one's.
static bool side_join(struct events *events, const struct pair_groups_end *ends,
		      const struct pair_groups_side *one, const struct pair_groups_side *two)
{
	uint32_t first_group, second_group, list = EVENT_NOBODY;
	const uint32_t *first = events_members(events, one->rank, one->group, &first_group);
	const uint32_t *second = events_members(events, two->rank, two->group, &second_group);
	uint32_t *ranks = reallocarray(NULL, (size_t)first_group + second_group, sizeof(*ranks));

	if (ranks) {
		memcpy(ranks, first, first_group * sizeof(*ranks));
		memcpy(ranks + first_group, second, second_group * sizeof(*ranks));
		list = events_enter_list(events, ranks, first_group + second_group);
		free(ranks);
	}
	if (list == EVENT_NOBODY)
		return false;
	for (const struct pair_groups_side *side = one; side; side = side == one ? two : NULL)
		for (size_t i = side->first; i < side->first + side->count; i++) {
			struct event_communicator *own = events->by_rank[ends[i].rank]
								 .communicators,
						  *made = &own[ends[i].number];

			made->members = list;
			made->id = events->communicators;
			made->first_group = first_group;
			made->place = own[made->parent].place + (side == two ? first_group : 0);
		}
	events->communicators++;
	return true;
}

// Sides of the same two leaders and tag follow each other: those of the low leader, then those of
// the high one.
static bool side_pair(struct events *events, const struct pair_groups_end *ends,
		      const struct pair_groups_side *sides, size_t count, uint32_t *paired)
{
	for (size_t first = 0, second, end; first < count; first = end) {
		const struct pair_groups_side *of = &sides[first];

		for (second = first; second < count && sides[second].leader == of->low &&
				     sides[second].low == of->low &&
				     sides[second].high == of->high &&
				     sides[second].tag == of->tag;)
			second++;
		for (end = second; end < count && sides[end].leader == of->high &&
				   sides[end].low == of->low && sides[end].high == of->high &&
				   sides[end].tag == of->tag;)
			end++;
		for (size_t i = 0; first + i < second && second + i < end; i++, ++*paired)
			if (!side_join(events, ends, &sides[first + i], &sides[second + i]))
				return false;
	}
	return true;
}

bool events_pair_groups(struct events *events, uint32_t *paired)
{
	const size_t count = end_gather(events, NULL);
	struct pair_groups_end *ends = reallocarray(NULL, count + 1, sizeof(*ends));
	struct pair_groups_side *sides = reallocarray(NULL, count + 1, sizeof(*sides));
	bool good = ends && sides;

	*paired = 0;
	if (good && count > 0) {
		size_t found;

		(void)end_gather(events, ends);
		qsort(ends, count, sizeof(*ends), end_compare);
		found = side_gather(events, ends, count, sides);
		qsort(sides, found, sizeof(*sides), side_compare);
		good = side_pair(events, ends, sides, found, paired);
	}
	free(ends);
	free(sides);
	return good;
}
