// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/groups.h"
#include "value/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum tr_status events_add_numbers(struct events *events, const int32_t *numbers, uint32_t count,
				  uint64_t *first, struct tr_error *err)
{
	if (!GROW_TO(events->numbers, events->number_capacity, events->number_total + count))
		return tr_no_memory(err, "%" PRIu64 " numbers of groups",
				    events->number_total + count);
	*first = events->number_total;
	if (count > 0)
		memcpy(events->numbers + *first, numbers, count * sizeof(*numbers));
	events->number_total += count;
	return TR_OK;
}

static void group_count_under(const struct event_rank *own, struct event_group *group,
			      uint32_t under)
{
	if (own->groups[under].deep >= group->deep)
		group->deep = (uint16_t)(own->groups[under].deep + 1);
	if (own->groups[under].depth > group->depth)
		group->depth = own->groups[under].depth;
}

enum tr_status events_group(struct events *events, uint32_t rank, struct event_group group,
			    const int32_t *numbers, uint32_t *number, struct tr_error *err)
{
	struct event_rank *own = &events->by_rank[rank];

	group.deep = 0;
	group.depth = group.made <= EVENT_GROUP_OF_REMOTE ? own->communicators[group.one].depth : 0;
	if (group.made >= EVENT_GROUP_INCL)
		group_count_under(own, &group, group.one);
	if (group.made >= EVENT_GROUP_UNION)
		group_count_under(own, &group, group.two);
	if (group.deep > EVENT_GROUPS_DEEP)
		return tr_fail(err, "more than %u groups made of each other", EVENT_GROUPS_DEEP);
	if (!GROW(own->groups, own->group_capacity, own->group_count))
		return tr_no_memory(err, "groups of rank %" PRIu32, rank);
	if (events_add_numbers(events, numbers, group.count, &group.first, err) != TR_OK)
		return TR_ERROR;
	own->groups[own->group_count] = group;
	*number = own->group_count++;
	return TR_OK;
}

// ---- members

struct groups_group_list {
	uint32_t *ranks;
	uint32_t count;
};

// Marks the place in chosen, and adds its rank to out, if one is given.
static bool group_choose(const struct groups_group_list *of, int64_t place, bool *chosen,
			 struct groups_group_list *out)
{
	if (place < 0 || place >= of->count || chosen[place])
		return false;
	chosen[place] = true;
	if (out)
		out->ranks[out->count++] = of->ranks[place];
	return true;
}

// The places that the numbers name, each at most once (as MPI demands): single ones, or ranges.
static bool group_named(const struct event_group *group, const int32_t *numbers,
			const struct groups_group_list *of, bool *chosen,
			struct groups_group_list *out)
{
	if (group->made == EVENT_GROUP_INCL || group->made == EVENT_GROUP_EXCL) {
		for (uint32_t i = 0; i < group->count; i++)
			if (!group_choose(of, numbers[i], chosen, out))
				return false;
		return true;
	}
	for (uint32_t i = 0; i + 3 <= group->count; i += 3) {
		const int64_t first = numbers[i], last = numbers[i + 1], stride = numbers[i + 2];

		if (stride == 0)
			return false;
		for (int64_t at = first; stride > 0 ? at <= last : at >= last; at += stride)
			if (!group_choose(of, at, chosen, out))
				return false;
	}
	return group->count % 3 == 0;
}

static enum tr_status group_part(const struct events *events, const struct event_group *group,
				 const struct groups_group_list *of, struct groups_group_list *out)
{
	const bool included = group->made == EVENT_GROUP_INCL ||
			      group->made == EVENT_GROUP_RANGE_INCL;
	bool *chosen = calloc((size_t)of->count + 1, sizeof(*chosen));
	enum tr_status status = TR_OK;

	if (!chosen)
		return TR_ERROR;
	if (!group_named(group, events->numbers + group->first, of, chosen, included ? out : NULL))
		status = TR_END;
	for (uint32_t i = 0; !included && i < of->count; i++)
		if (!chosen[i])
			out->ranks[out->count++] = of->ranks[i];
	free(chosen);
	return status;
}

// What is of the first in the second, or not in it; of a union also the rest of the second.
static enum tr_status group_join(const struct events *events, const struct event_group *group,
				 const struct groups_group_list *one,
				 const struct groups_group_list *two, struct groups_group_list *out)
{
	const bool adds = group->made == EVENT_GROUP_UNION,
		   common = group->made == EVENT_GROUP_INTERSECTION;
	bool *marked = calloc(events->ranks, sizeof(*marked));

	if (!marked)
		return TR_ERROR;
	for (uint32_t i = 0; !adds && i < two->count; i++)
		marked[two->ranks[i]] = true;
	for (uint32_t i = 0; i < one->count; i++) {
		if (adds || marked[one->ranks[i]] == common)
			out->ranks[out->count++] = one->ranks[i];
		marked[one->ranks[i]] |= adds;
	}
	for (uint32_t i = 0; adds && i < two->count; i++)
		if (!marked[two->ranks[i]])
			out->ranks[out->count++] = two->ranks[i];
	free(marked);
	return TR_OK;
}

static enum tr_status group_made_of_groups(const struct events *events, uint32_t rank,
					   const struct event_group *group,
					   struct groups_group_list *out)
{
	struct groups_group_list one = {0}, two = {0};
	enum tr_status status = events_group_members(events, rank, group->one, &one.ranks,
						     &one.count);

	if (status == TR_OK && group->made >= EVENT_GROUP_UNION)
		status = events_group_members(events, rank, group->two, &two.ranks, &two.count);
	if (status == TR_OK) {
		out->ranks = reallocarray(NULL, (size_t)one.count + two.count + 1,
					  sizeof(*out->ranks));
		status = out->ranks ? TR_OK : TR_ERROR;
	}
	if (status == TR_OK)
		status = group->made >= EVENT_GROUP_UNION
				 ? group_join(events, group, &one, &two, out)
				 : group_part(events, group, &one, out);
	if (status != TR_OK) {
		free(out->ranks);
		out->ranks = NULL;
	}
	free(one.ranks);
	free(two.ranks);
	return status;
}

// False: it is not known.
static bool group_of_communicator(const struct events *events, uint32_t rank,
				  const struct event_group *group, const uint32_t **ranks,
				  uint32_t *count)
{
	const struct event_communicator *of = &events->by_rank[rank].communicators[group->one];
	const bool remote = group->made == EVENT_GROUP_OF_REMOTE;

	if (of->members == EVENT_NOBODY || (remote && of->first_group == 0))
		return false;
	*ranks = events_members(events, rank, group->one, count);
	if (of->first_group == 0)
		return true;
	if (remote == (of->place < of->first_group)) { // the second group
		*ranks += of->first_group;
		*count -= of->first_group;
	} else {
		*count = of->first_group;
	}
	return true;
}

enum tr_status events_group_members(const struct events *events, uint32_t rank, uint32_t number,
				    uint32_t **members, uint32_t *count)
{
	const struct event_rank *own = &events->by_rank[rank];
	const struct event_group *group = &own->groups[number];
	struct groups_group_list out = {0};
	enum tr_status status = TR_OK;

	if (group->made >= EVENT_GROUP_INCL) {
		status = group_made_of_groups(events, rank, group, &out);
	} else {
		const uint32_t *ranks = NULL;

		if (group->made <= EVENT_GROUP_OF_REMOTE &&
		    !group_of_communicator(events, rank, group, &ranks, &out.count))
			return TR_END;
		out.ranks = reallocarray(NULL, (size_t)out.count + 1, sizeof(*out.ranks));
		if (!out.ranks)
			return TR_ERROR;
		if (out.count > 0)
			memcpy(out.ranks, ranks, out.count * sizeof(*ranks));
	}
	if (status != TR_OK)
		return status;
	*members = out.ranks;
	*count = out.count;
	return TR_OK;
}
