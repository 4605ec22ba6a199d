// SPDX-License-Identifier: GPL-3.0-or-later
// A 4-ary heap of events in the order (time, key, sequence): what lies beyond the tick wheel. Ties
// leave in the order in which they came.
#ifndef SIM_HEAP_H
#define SIM_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/arena.h"

struct sim_far {
	int64_t time_ticks;
	uint64_t sequence;
	uint32_t key;
	uint32_t aux;
};

struct sim_heap {
	struct sim_far *items;
	uint32_t count;
	uint32_t capacity;
	uint64_t sequence;
};

// Takes room for capacity events from the arena.
void sim_heap_layout(struct sim_heap *heap, struct sim_arena *arena, uint32_t capacity);

// Adds an event; false where the heap is full.
bool sim_heap_push(struct sim_heap *heap, int64_t time_ticks, uint32_t key, uint32_t aux);

// Removes the first event into *out; the heap must not be empty. items[0] is the first.
void sim_heap_pop(struct sim_heap *heap, struct sim_far *out);

#endif
