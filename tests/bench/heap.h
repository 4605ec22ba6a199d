// SPDX-License-Identifier: GPL-3.0-or-later
// A 4-ary heap of events in the order (time, key, sequence), to measure the event set by. Ties
// leave in the order in which they came.
#ifndef BENCH_HEAP_H
#define BENCH_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/arena.h"

struct heap_item {
	int64_t time_ticks;
	uint64_t sequence;
	uint32_t key;
	uint32_t aux;
};

struct heap {
	struct heap_item *items;
	uint32_t count;
	uint32_t capacity;
	uint64_t sequence;
};

// Takes room for capacity events from the arena.
void heap_layout(struct heap *heap, struct sim_arena *arena, uint32_t capacity);

// Adds an event; false where the heap is full.
bool heap_push(struct heap *heap, int64_t time_ticks, uint32_t key, uint32_t aux);

// Removes the first event into *out; the heap must not be empty. items[0] is the first.
void heap_pop(struct heap *heap, struct heap_item *out);

#endif
