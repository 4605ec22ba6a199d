// SPDX-License-Identifier: GPL-3.0-or-later
// The pending-event set. Its order is total and declared: (time, phase, component, sequence), the
// sequence being the order in which events of one time, phase and component were pushed. Components
// are numbers that the model gives them, not places in an array, so no order of arrays can change a
// run.
//
// Seven wheels, one above the other: a slot of the first is one tick, a slot of each other all that
// the wheel below it counts. An event stands in the lowest wheel in whose present round its time
// lies, and moves down when the clock comes to its slot; whatever is pushed into that slot later
// goes further down at once, so it stays behind. Nothing is allocated after the layout. Measured
// against a heap and a ladder queue: flitline-models(7).
#ifndef SIM_EVENTS_H
#define SIM_EVENTS_H

#include "sim/present.h"

#define SIM_TICK_BITS 16u  // of the time, that the first wheel counts
#define SIM_UPPER_BITS 8u  // that each of the others counts
#define SIM_UPPER_WHEELS 6u

struct sim_events {
	int64_t now_ticks;
	int64_t position_ticks; // where the wheels stand: now_ticks, but while the clock advances
	uint32_t pending;
	uint32_t capacity;
	bool exhausted; // a push found no room: the run is broken
	struct sim_present present;
	struct sim_pool pool;
	struct sim_wheel ticks;
	struct sim_wheel upper[SIM_UPPER_WHEELS];
};

// Takes room for capacity pending events from the arena and empties the set; the clock starts at
// start_ticks.
void sim_events_layout(struct sim_events *events, struct sim_arena *arena, uint32_t capacity,
		       int64_t start_ticks);

// Adds an event; time_ticks must not lie before now_ticks. Where there is no room, exhausted is
// set.
void sim_events_push(struct sim_events *events, int64_t time_ticks, uint32_t key, uint32_t aux);

// sim_events_pop where nothing that waited for the present tick is the first.
bool sim_events_pop_other(struct sim_events *events, struct sim_event *out);

// Removes the first event and moves the clock to it; false where none is pending.
static inline bool sim_events_pop(struct sim_events *events, struct sim_event *out)
{
	struct sim_present *present = &events->present;
	const struct sim_item *item;

	if (present->open != 0 || present->first == present->end)
		return sim_events_pop_other(events, out);
	events->pending--;
	item = &present->batch[present->first++];
	*out = (struct sim_event){events->now_ticks, item->key, item->aux};
	return true;
}

// Whether an event of this phase, if pushed for the present tick, would be the very next: its
// handler may then be called at once.
static inline bool sim_events_would_be_next(const struct sim_events *events, unsigned phase)
{
	return sim_present_would_be_first(&events->present, phase);
}

#endif
