// SPDX-License-Identifier: GPL-3.0-or-later
// Collective operations over all their members: facts that no rank's part shows alone.
#ifndef FOREIGN_INSTANCES_H
#define FOREIGN_INSTANCES_H

#include "foreign/event_goal.h"
#include "foreign/rank_events.h"

// Tags below this are those of collective operations, the rest those of messages.
#define INSTANCE_TAGS (UINT32_C(1) << 30)

struct instance {
	uint64_t bytes;	    // most that any member says
	uint64_t least;	    // and least
	uint64_t parts;	    // 1 + where in instances.parts what each member says begins; 0: it is
			    // nowhere
	uint32_t seen;	    // members that took part
	uint32_t told;	    // those of them whose bytes count
	uint32_t tag_first; // of its messages, after instances_tags
	uint8_t collective;
	bool counted; // some member has counts that differ
};

struct instances {
	struct instance *items;
	uint64_t *first; // of each communicator
	uint64_t count;
	uint64_t *parts;
};

// Gathers them. TR_ERROR: ranks did different operations in the same place, or out of memory.
// instances_clear frees it in any case.
enum tr_status instances_make(struct instances *out, const struct events *events,
			      struct tr_error *err);

// Numbers their tags. A rank may be in operations of several communicators at once: each operation
// has tags that no other of its ranks has; communicators without a common rank may share some.
// *again counts those that do share tags because there are not enough. TR_ERROR: out of memory.
enum tr_status instances_tags(struct instances *instances, const struct events *events,
			      const struct event_goal_ways *ways, uint64_t *again,
			      struct tr_error *err);

// That of a rank's event.
static inline struct instance *instances_of(const struct instances *instances,
					    const struct events *events, uint32_t rank,
					    const struct event *event)
{
	return &instances->items[instances->first[event_communicator_of(events, rank, event)->id] +
				 (uint32_t)event->tag];
}

// Whether the members' counts differ, so that the algorithms for equal blocks do not apply.
static inline bool instance_is_uneven(const struct instance *instance)
{
	return instance->parts > 0 && (instance->counted || instance->least != instance->bytes);
}

// Frees what it holds; it is empty then.
void instances_clear(struct instances *instances);

#endif
