// SPDX-License-Identifier: GPL-3.0-or-later
// The events of the tick that is being worked on, in the order (phase, component, sequence): those
// that waited for it, sorted once, and those that are caused in it, in a list for each phase.
#ifndef SIM_PRESENT_H
#define SIM_PRESENT_H

#include "sim/wheel.h"

#define SIM_PHASES 16u
#define SIM_COMPONENTS_MAX ((uint32_t)1 << 28)

// Phase (below SIM_PHASES) and component (below SIM_COMPONENTS_MAX) of an event in one number, in
// their order.
#define SIM_KEY(phase, component) ((uint32_t)(phase) << 28 | (uint32_t)(component))
#define SIM_KEY_PHASE(key) ((key) >> 28)
#define SIM_KEY_COMPONENT(key) ((key) & (SIM_COMPONENTS_MAX - 1))

struct sim_cell {
	uint32_t next;
	struct sim_item item;
};

struct sim_phase_list {
	uint32_t first;
	uint32_t last;
	bool sorted;
};

struct sim_present {
	struct sim_item *batch; // that waited for the tick; first .. end-1 are left
	struct sim_item *scratch;
	uint32_t first;
	uint32_t end;
	uint32_t open; // bit p: phases[p] has events
	struct sim_phase_list phases[SIM_PHASES];
	struct sim_cell *cells;
	uint32_t free_cell;
	uint32_t fresh_cell; // cells from here on were never used
};

// Takes room for capacity events; there are none.
void sim_present_layout(struct sim_present *present, struct sim_arena *arena, uint32_t capacity);

// Begins a tick with the events of a list of blocks, which goes back to the pool. The tick before
// must have none left.
void sim_present_begin(struct sim_present *present, struct sim_pool *pool, uint32_t block);

// Adds an event that is caused in the tick.
void sim_present_add(struct sim_present *present, struct sim_item item);

// Removes the first event where one that was caused in the tick is left.
struct sim_item sim_present_first_open(struct sim_present *present);

// Removes the first event; there must be one.
static inline struct sim_item sim_present_first(struct sim_present *present)
{
	return present->open == 0 ? present->batch[present->first++] :
				    sim_present_first_open(present);
}

static inline bool sim_present_empty(const struct sim_present *present)
{
	return present->first == present->end && present->open == 0;
}

// Whether an event of this phase, if added now, would be the first.
static inline bool sim_present_would_be_first(const struct sim_present *present, unsigned phase)
{
	return (present->open & ((2u << phase) - 1)) == 0 &&
	       (present->first == present->end ||
		SIM_KEY_PHASE(present->batch[present->first].key) > phase);
}

#endif
