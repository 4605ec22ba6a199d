// SPDX-License-Identifier: GPL-3.0-or-later
// The pending-event set. Its order is total and declared: (time, phase, component, sequence), the
// sequence being the order in which events of one time, phase and component were pushed. Components
// are numbers that the model gives them, not places in an array, so no order of arrays can change a
// run.
//
// A tick wheel (one list a tick, two levels of bits to find the next) for what is near, a 4-ary
// heap for what is far, one list a phase for the tick that is being worked on. Nothing is allocated
// after the layout.
#ifndef SIM_EVENTS_H
#define SIM_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/arena.h"
#include "sim/heap.h"

#define SIM_WHEEL_TICKS 16384u // a power of two
#define SIM_PHASES 16u
#define SIM_COMPONENTS_MAX ((uint32_t)1 << 28)

struct sim_event {
	int64_t time_ticks;
	uint32_t key; // phase and component
	uint32_t aux; // whatever the pusher said
};

// Phase (below SIM_PHASES) and component (below SIM_COMPONENTS_MAX) of an event in one number, in
// their order.
#define SIM_KEY(phase, component) ((uint32_t)(phase) << 28 | (uint32_t)(component))
#define SIM_KEY_PHASE(key) ((key) >> 28)
#define SIM_KEY_COMPONENT(key) ((key) & (SIM_COMPONENTS_MAX - 1))

struct sim_cell { // an event in a list; its time is the list's
	uint32_t next;
	uint32_t key;
	uint32_t aux;
	uint32_t unused;
};

struct sim_phase_list {
	uint32_t first;
	uint32_t last;
	bool sorted;
};

struct sim_events {
	int64_t now_ticks;
	uint32_t pending;
	uint32_t open; // bit p: phase p of the present tick has events
	struct sim_phase_list phases[SIM_PHASES];
	uint32_t *last; // of each slot: its last cell, whose next is the slot's first
	uint64_t *marked;
	uint64_t summary[SIM_WHEEL_TICKS / 64 / 64];
	struct sim_cell *cells;
	uint32_t free_cell;
	uint32_t fresh_cell; // cells from here on were never used
	uint32_t capacity;
	bool exhausted; // a push found no room: the run is broken
	struct sim_heap far;
};

// Takes room for capacity pending events from the arena and empties the set; the clock starts at
// start_ticks.
void sim_events_layout(struct sim_events *events, struct sim_arena *arena, uint32_t capacity,
		       int64_t start_ticks);

// Adds an event; time_ticks must not lie before now_ticks. Where there is no room, exhausted is
// set.
void sim_events_push(struct sim_events *events, int64_t time_ticks, uint32_t key, uint32_t aux);

// Removes the first event and moves the clock to it; false where none is pending.
bool sim_events_pop(struct sim_events *events, struct sim_event *out);

// Whether an event of this phase, if pushed for the present tick, would be the very next: its
// handler may then be called at once.
static inline bool sim_events_would_be_next(const struct sim_events *events, unsigned phase)
{
	return (events->open & ((2u << phase) - 1)) == 0;
}

#endif
