// SPDX-License-Identifier: GPL-3.0-or-later
// Events in a total order: by time, then by a number that their user gives them.
#ifndef SIM_AGENDA_H
#define SIM_AGENDA_H

#include <stddef.h>
#include <stdint.h>

#include "sim/arena.h"

// A pending event.
struct entry {
	int64_t time_ticks;
	uint64_t order; // no two pending ones have the same time and order
	uint32_t what;
	uint32_t about;
};

// A 4-ary heap.
struct agenda {
	struct entry *entries;
	size_t count;
	size_t capacity;
};

// Allocates room for capacity entries.
void agenda_layout(struct agenda *agenda, struct sim_arena *arena, size_t capacity);

// Adds an entry; there must be room.
void agenda_push(struct agenda *agenda, const struct entry *entry);

// Removes the first; the agenda must not be empty. entries[0] is the first.
void agenda_pop(struct agenda *agenda, struct entry *out);

// Copies its entries, the first first, to out, which has room for count.
void agenda_list(const struct agenda *agenda, struct entry *out);

#endif
