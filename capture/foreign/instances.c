// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/instances.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Operations of which members may give or get blocks of different sizes.
static bool has_blocks(uint8_t collective)
{
	return collective == COLLECTIVE_GATHER || collective == COLLECTIVE_ALLGATHER ||
	       collective == COLLECTIVE_SCATTER || collective == COLLECTIVE_ALLTOALL;
}

static bool number(struct instances *out, const struct events *events)
{
	out->first = calloc((size_t)events->communicators + 1, sizeof(*out->first));
	if (!out->first)
		return false;
	for (uint32_t rank = 0; rank < events->ranks; rank++)
		for (uint32_t i = 0; i < events->by_rank[rank].communicator_count; i++) {
			const struct event_communicator *own =
				&events->by_rank[rank].communicators[i];

			if (own->id != EVENT_NOBODY && out->first[own->id + 1] < own->collectives)
				out->first[own->id + 1] = own->collectives;
		}
	for (uint32_t id = 0; id < events->communicators; id++)
		out->first[id + 1] += out->first[id];
	out->count = out->first[events->communicators];
	out->items = calloc(out->count + 1, sizeof(*out->items));
	return out->items;
}

// What the root of a gather or scatter says of its own block: it may stay in place, and its count
// means nothing then.
static bool is_own(const struct events *events, uint32_t rank, const struct event *event)
{
	return (event->collective == COLLECTIVE_GATHER ||
		event->collective == COLLECTIVE_SCATTER) &&
	       event->peer == event_communicator_of(events, rank, event)->place;
}

// The bytes of each block, of counts that are all equal those. False: they differ.
static bool instances_block(const struct events *events, uint32_t rank, const struct event *event,
			    uint64_t *bytes)
{
	const uint64_t *counts;
	uint32_t members;

	*bytes = event->bytes;
	if (event->collective != COLLECTIVE_ALLTOALL || event->counts == 0)
		return true;
	(void)events_members(events, rank, event->communicator, &members);
	counts = events->counts + event->counts - 1;
	*bytes = *counts;
	for (uint32_t i = 1; i < members; i++)
		if (counts[i] != *counts)
			return false;
	return true;
}

static enum tr_status instances_add(struct instances *out, const struct events *events,
				    uint32_t rank, const struct event *event, struct tr_error *err)
{
	uint32_t id = event_communicator_of(events, rank, event)->id;
	struct instance *instance = &out->items[out->first[id] + (uint32_t)event->tag];
	uint64_t bytes;

	instance->counted |= !instances_block(events, rank, event, &bytes);
	if (instance->seen > 0 && instance->collective != event->collective)
		return tr_fail(err,
			       "collective operation %" PRIu32 " of communicator %" PRIu32
			       ": expected %s at rank %" PRIu32 " as at ranks before it, found %s",
			       (uint32_t)event->tag + 1, id,
			       event_collective_word(instance->collective), rank,
			       event_collective_word(event->collective));
	if (!is_own(events, rank, event)) {
		if (instance->told == 0 || bytes < instance->least)
			instance->least = bytes;
		if (bytes > instance->bytes)
			instance->bytes = bytes;
		instance->told++;
	}
	instance->collective = event->collective;
	instance->seen++;
	return TR_OK;
}

// Room for the parts of those that need them.
static bool lay_out(struct instances *out)
{
	uint64_t room = 0;

	for (uint64_t i = 0; i < out->count; i++) {
		struct instance *instance = &out->items[i];

		if (!has_blocks(instance->collective) ||
		    (!instance->counted && instance->least == instance->bytes))
			continue;
		instance->parts = room + 1;
		room += instance->seen;
	}
	out->parts = calloc(room + 1, sizeof(*out->parts));
	return out->parts;
}

// What the member says: bytes, or of an all-to-all where its counts are.
static void add_part(struct instances *out, const struct events *events, uint32_t rank,
		     const struct event *event)
{
	const struct instance *instance = instances_of(out, events, rank, event);
	uint32_t place = event_communicator_of(events, rank, event)->place;

	if (instance->parts > 0 && place < instance->seen)
		out->parts[instance->parts - 1 + place] = event->collective == COLLECTIVE_ALLTOALL
								  ? event->counts
								  : event->bytes;
}

enum tr_status instances_make(struct instances *out, const struct events *events,
			      struct tr_error *err)
{
	*out = (struct instances){0};
	if (!number(out, events))
		return tr_no_memory(err, "collective operations");
	for (uint32_t rank = 0; rank < events->ranks; rank++)
		for (uint32_t i = 0; i < events->by_rank[rank].count; i++) {
			const struct event *event = &events->by_rank[rank].events[i];

			if (event->kind == EVENT_COLLECTIVE &&
			    instances_add(out, events, rank, event, err) != TR_OK)
				return TR_ERROR;
		}
	if (!lay_out(out))
		return tr_no_memory(err, "counts of collective operations");
	for (uint32_t rank = 0; rank < events->ranks; rank++)
		for (uint32_t i = 0; i < events->by_rank[rank].count; i++) {
			const struct event *event = &events->by_rank[rank].events[i];

			if (event->kind == EVENT_COLLECTIVE)
				add_part(out, events, rank, event);
		}
	return TR_OK;
}

// ---- tags

// The members of a communicator, lent.
struct instance_members {
	const uint32_t *ranks;
	uint32_t count;
};

// Those of a communicator's operations, from the first that no member has used yet.
static uint64_t instances_number(struct instances *instances, uint32_t id,
				 const struct event_goal_ways *ways,
				 const struct instance_members *members, uint64_t *used)
{
	uint64_t next = 0, again = 0;

	for (uint32_t i = 0; i < members->count; i++)
		next = next > used[members->ranks[i]] ? next : used[members->ranks[i]];
	for (uint64_t k = instances->first[id]; k < instances->first[id + 1]; k++) {
		struct instance *instance = &instances->items[k];
		const uint64_t tags = event_goal_tags(ways, instance->collective, members->count);

		instance->tag_first = (uint32_t)(next % (INSTANCE_TAGS - tags));
		again += next + tags > INSTANCE_TAGS;
		next += tags;
	}
	for (uint32_t i = 0; i < members->count; i++)
		used[members->ranks[i]] = next;
	return again;
}

enum tr_status instances_tags(struct instances *instances, const struct events *events,
			      const struct event_goal_ways *ways, uint64_t *again,
			      struct tr_error *err)
{
	struct instance_members *members = calloc((size_t)events->communicators + 1,
						  sizeof(*members));
	uint64_t *used = calloc((size_t)events->ranks + 1, sizeof(*used));
	const bool memory = members && used;

	for (uint32_t rank = 0; memory && rank < events->ranks; rank++)
		for (uint32_t i = 0; i < events->by_rank[rank].communicator_count; i++) {
			const uint32_t id = events->by_rank[rank].communicators[i].id;

			if (id != EVENT_NOBODY)
				members[id].ranks = events_members(events, rank, i,
								   &members[id].count);
		}
	for (uint32_t id = 0; memory && id < events->communicators; id++)
		if (instances->first[id] < instances->first[id + 1])
			*again += instances_number(instances, id, ways, &members[id], used);
	free(members);
	free(used);
	return memory ? TR_OK : tr_no_memory(err, "collective operations");
}

void instances_clear(struct instances *instances)
{
	free(instances->items);
	free(instances->first);
	free(instances->parts);
	memset(instances, 0, sizeof(*instances));
}
