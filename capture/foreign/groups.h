// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of ranks (MPI 4.0, section 7.3), which some traces name communicators by. The members of a
// communicator may be unknown while a rank's calls are read, so a group keeps how it was made, and
// its members follow in events_finish.
#ifndef FOREIGN_GROUPS_H
#define FOREIGN_GROUPS_H

#include "foreign/rank_events.h"

#define EVENT_GROUPS_DEEP 1000u // made of each other

enum event_group_made {
	EVENT_GROUP_OF_COMMUNICATOR, // of one between two groups, the rank's own
	EVENT_GROUP_OF_REMOTE,	     // the other
	EVENT_GROUP_EMPTY,
	EVENT_GROUP_INCL,
	EVENT_GROUP_EXCL,
	EVENT_GROUP_RANGE_INCL, // numbers: first, last and stride of each range
	EVENT_GROUP_RANGE_EXCL,
	EVENT_GROUP_UNION,
	EVENT_GROUP_INTERSECTION,
	EVENT_GROUP_DIFFERENCE,
};

struct event_group {
	uint8_t made;	   // enum event_group_made
	uint32_t one, two; // the rank's own numbers of the groups it is made of; one: or of the
			   // communicator
	uint32_t count;	   // of numbers
	uint64_t first;	   // of them in events.numbers
	uint16_t deep;	   // groups under it
	uint32_t depth;	   // of the communicators under it
};

// Adds a group of the rank, whose numbers are copied; *number is the rank's own number of it.
// TR_ERROR: out of memory, or more than EVENT_GROUPS_DEEP groups under it.
enum tr_status events_group(struct events *events, uint32_t rank, struct event_group group,
			    const int32_t *numbers, uint32_t *number, struct tr_error *err);

// Adds numbers of groups and grids; *first is where they begin.
enum tr_status events_add_numbers(struct events *events, const int32_t *numbers, uint32_t count,
				  uint64_t *first, struct tr_error *err);

// The members of a group, ranks of the world in its order, to be freed. TR_END: they cannot be
// known: a communicator's are not, or a number is none of a rank. TR_ERROR: out of memory.
enum tr_status events_group_members(const struct events *events, uint32_t rank, uint32_t number,
				    uint32_t **members, uint32_t *count);

#endif
