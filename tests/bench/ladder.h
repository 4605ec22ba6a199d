// SPDX-License-Identifier: GPL-3.0-or-later
// A ladder queue (Tang, Goh, Thng: Ladder queue: an O(1) priority queue structure for large-scale
// discrete event simulation, TOMACS 15, 2005) in the order (time, key, sequence), to measure the
// event set by.
#ifndef BENCH_LADDER_H
#define BENCH_LADDER_H

#include "sim/arena.h"
#include "sim/wheel.h"

#define LADDER_RUNGS 8u
#define LADDER_THRESHOLD 50u // a bucket of no more is sorted

struct ladder_cell {
	struct sim_event event;
	uint32_t next;
};

struct ladder_list {
	uint32_t first;
	uint32_t last;
	uint32_t count;
};

struct ladder_rung {
	struct ladder_list *buckets;
	uint32_t bucket_count;
	uint32_t present; // buckets before it are empty for good
	int64_t start_ticks;
	int64_t width_ticks;
};

struct ladder {
	struct ladder_cell *cells;
	uint32_t free;
	uint32_t fresh;
	uint32_t capacity;
	uint32_t buckets_max; // of a rung
	int64_t top_start_ticks; // what is later goes on top
	int64_t top_least_ticks;
	int64_t top_most_ticks;
	struct ladder_list top;
	struct ladder_rung rungs[LADDER_RUNGS];
	uint32_t rung_count;
	struct sim_event *bottom; // the first event last
	struct sim_event *scratch;
	uint32_t bottom_count;
};

void ladder_layout(struct ladder *ladder, struct sim_arena *arena, uint32_t capacity);

// Adds an event not before the one that was removed last.
void ladder_push(struct ladder *ladder, int64_t time_ticks, uint32_t key, uint32_t aux);

// Removes the first event; false where there is none.
bool ladder_pop(struct ladder *ladder, struct sim_event *out);

#endif
