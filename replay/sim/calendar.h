// SPDX-License-Identifier: GPL-3.0-or-later
// A calendar of components: each has at most one tick at which it is due, and may have it changed
// or taken back at any time. All that are due in one tick come together, in no order: whoever uses
// it must do without one.
//
// The calendar queue of Brown (CACM 31, 1988) without a sort: a circle of buckets, each a doubly
// linked list through an array of nodes; two levels of bits tell which buckets have any. A bucket
// spans a power of two of ticks, so that few components share one.
#ifndef SIM_CALENDAR_H
#define SIM_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/arena.h"

#define SIM_NEVER INT64_MAX

struct sim_node {
	int64_t due_ticks; // SIM_NEVER: not
	uint32_t next;
	uint32_t previous; // or a mark: it stands in the list of the present tick
};

struct sim_calendar {
	struct sim_node *nodes;
	uint32_t *heads; // of the buckets' lists
	uint64_t *bits;	 // of the buckets that have a list
	uint64_t *words; // of the words of bits that are not 0
	uint32_t *taken; // components due in the present tick, those added since included
	uint32_t taken_count;
	bool found_all;	     // nothing else was in the bucket of those due at found_ticks
	int64_t found_ticks; // of what sim_calendar_next found there, which nothing was set since to change
	uint32_t components;
	uint32_t pending;  // components that are due at some tick, those of the present one left out
	uint32_t mask;	   // of the buckets
	uint32_t shift;	   // of the ticks of one
	int64_t place;	   // the bucket of the earliest that can be due, counted through
	int64_t now_ticks; // of the last take
};

// Room for so many components, none due. usual_ticks: about how far ahead a component is due.
void sim_calendar_layout(struct sim_calendar *calendar, struct sim_arena *arena, uint32_t components, int64_t usual_ticks,
			 int64_t start_ticks);

// The earliest tick at which a component is due; SIM_NEVER where none is.
int64_t sim_calendar_next(struct sim_calendar *calendar);

// Moves to the tick, at most that which sim_calendar_next has just given, and takes out what is due
// there: it stands in taken. A component that is set for this tick from now on joins them, at most thrice for each
// component; one that is set otherwise is not due any more: sim_calendar_is_due tells.
void sim_calendar_take(struct sim_calendar *calendar, int64_t ticks);

// The component's tick, at or after the present one; SIM_NEVER: it is not due.
void sim_calendar_put(struct sim_calendar *calendar, uint32_t component, int64_t ticks);

// Asks the cache for the component's tick.
static inline void sim_calendar_fetch(const struct sim_calendar *calendar, uint32_t component)
{
	__builtin_prefetch(&calendar->nodes[component]);
}

static inline int64_t sim_calendar_due(const struct sim_calendar *calendar, uint32_t component)
{
	return calendar->nodes[component].due_ticks;
}

static inline void sim_calendar_set(struct sim_calendar *calendar, uint32_t component, int64_t ticks)
{
	if (calendar->nodes[component].due_ticks != ticks)
		sim_calendar_put(calendar, component, ticks);
}

// Whether a component of taken is still due now; it is not any more afterwards.
static inline bool sim_calendar_is_due(struct sim_calendar *calendar, uint32_t component)
{
	struct sim_node *node = &calendar->nodes[component];

	if (node->due_ticks != calendar->now_ticks)
		return false;
	node->due_ticks = SIM_NEVER;
	return true;
}

#endif
