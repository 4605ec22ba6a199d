// SPDX-License-Identifier: GPL-3.0-or-later
// A calendar of components: each has at most one pending tick, which may be changed or cancelled at
// any time. All components due in one tick are returned together, unordered: the user must not
// depend on an order.
//
// The calendar queue of Brown (CACM 31, 1988) without a sort: a ring of buckets, each a doubly
// linked list through an array of nodes; a two-level bitmap marks the nonempty buckets. A bucket
// spans a power of two of ticks, so that few components share one.
#ifndef SIM_CALENDAR_H
#define SIM_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/arena.h"
#include "value/cache.h"

#define SIM_NEVER INT64_MAX

struct sim_node {
	int64_t due_ticks; // SIM_NEVER: none
	uint32_t next;
	uint32_t previous; // or a mark: it is in the list of the current tick
};

struct sim_calendar {
	struct sim_node *nodes;
	uint32_t *heads; // first node of each bucket
	uint64_t *bits;	 // nonempty buckets
	uint64_t *words; // nonzero words of bits
	uint32_t *taken; // components due in the current tick, with those added since
	uint32_t taken_count;
	bool found_all;	     // the bucket holds only components due at found_ticks
	int64_t found_ticks; // result of sim_calendar_next there, not invalidated by a later set
	int64_t far_ticks;   // the earliest of a later bucket or round that a search has seen
	uint32_t components;
	uint32_t pending;  // components that are due, without those of the current tick
	uint32_t mask;	   // number of buckets - 1
	uint32_t shift;	   // log2 of the ticks per bucket
	int64_t place;	   // earliest bucket that can be due, not reduced modulo the ring
	int64_t now_ticks; // of the last take
};

// Room for this number of components, none due. usual_ticks: about how far ahead a component is
// due.
void sim_calendar_layout(struct sim_calendar *calendar, struct sim_arena *arena,
			 uint32_t components, int64_t usual_ticks, int64_t start_ticks);

// A calendar of some of the components of another, whose nodes both share: each component is in one
// of them only, and about so many are in this one.
void sim_calendar_layout_share(struct sim_calendar *calendar, struct sim_arena *arena,
			       struct sim_node *nodes, uint32_t components, int64_t usual_ticks,
			       int64_t start_ticks);

// The nodes alone, for shares of them; those that are used must be made idle first.
void sim_calendar_layout_nodes(struct sim_calendar *calendar, struct sim_arena *arena,
			       uint32_t components);

// Makes a node idle that was never used.
static inline void sim_calendar_idle(struct sim_calendar *calendar, uint32_t component)
{
	calendar->nodes[component].due_ticks = SIM_NEVER;
}

// Makes all that is due in a calendar of the same nodes due in this one instead; neither is within
// a tick. The other one is not to be used any more.
void sim_calendar_gather(struct sim_calendar *calendar, const struct sim_calendar *other);

// The earliest tick at which a component is due; SIM_NEVER if none is.
int64_t sim_calendar_next(struct sim_calendar *calendar);

// Moves to the tick, at most the last result of sim_calendar_next, and takes out the components due
// there: they are in taken. A component set for this tick from now on joins them, at most three
// times per component; one set to another tick is no longer due: check sim_calendar_is_due.
void sim_calendar_take(struct sim_calendar *calendar, int64_t ticks);

// Sets the component's tick, no earlier than the current one; SIM_NEVER: not due.
void sim_calendar_put(struct sim_calendar *calendar, uint32_t component, int64_t ticks);

// A component of each of the next count nonempty buckets after the current tick's, which will
// probably be due soon, one after the other: to prefetch what they are about. UINT32_MAX: there are
// no more.
void sim_calendar_ahead(const struct sim_calendar *calendar, uint32_t *components, uint32_t count);

// Another one in the bucket of such a component; UINT32_MAX: none.
static inline uint32_t sim_calendar_beside(const struct sim_calendar *calendar, uint32_t component)
{
	return calendar->nodes[component].next;
}

// Prefetches the component's tick.
static inline void sim_calendar_fetch(const struct sim_calendar *calendar, uint32_t component)
{
	cache_fetch(&calendar->nodes[component]);
}

// When a component is due; SIM_NEVER: not.
static inline int64_t sim_calendar_due(const struct sim_calendar *calendar, uint32_t component)
{
	return calendar->nodes[component].due_ticks;
}

// As sim_calendar_put, but cheap where the tick stays.
static inline void sim_calendar_set(struct sim_calendar *calendar, uint32_t component,
				    int64_t ticks)
{
	if (calendar->nodes[component].due_ticks != ticks)
		sim_calendar_put(calendar, component, ticks);
}

// Whether a component of taken is still due now; clears it.
static inline bool sim_calendar_is_due(struct sim_calendar *calendar, uint32_t component)
{
	struct sim_node *node = &calendar->nodes[component];

	if (node->due_ticks != calendar->now_ticks)
		return false;
	node->due_ticks = SIM_NEVER;
	return true;
}

#endif
