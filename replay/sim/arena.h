// SPDX-License-Identifier: GPL-3.0-or-later
// The memory of one run: sized at start, freed at once. A layout is written once and run twice:
// first on an empty arena, which only adds up the sizes, then, after sim_arena_open, on one that
// allocates.
#ifndef SIM_ARENA_H
#define SIM_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "value/status.h"

// Zero is a valid empty one: it measures.
struct sim_arena {
	unsigned char *base;
	size_t used_bytes;
	size_t size_bytes;
	size_t filled_bytes; // of the used ones, those that sim_arena_fill counts
	bool scattered;	     // some of what is filled will be used: no huge pages
};

// count objects of each_bytes, zeroed and aligned to a cache line; the arena owns them. NULL while
// it measures, and if the layout takes more than it measured or more than a size_t holds
// (sim_arena_broken is true then).
void *sim_arena_take(struct sim_arena *arena, size_t count, size_t each_bytes);

// The same for objects that all will be used: where there is not memory for these, sim_arena_open
// fails, before memory ends. They come in huge pages where they cover whole ones, which are found
// faster.
void *sim_arena_fill(struct sim_arena *arena, size_t count, size_t each_bytes);

// The same for objects of which as many will be used as are needed, from the first on: only these
// take memory, and huge pages. Neither does where some of what is filled will be used, here and
// there.
void *sim_arena_grow(struct sim_arena *arena, size_t count, size_t each_bytes);

// Whether a take has failed.
bool sim_arena_broken(const struct sim_arena *arena);

// Allocates the measured size; the layout starts again. TR_ERROR if out of memory, also where what
// is to be filled is more than there is.
enum tr_status sim_arena_open(struct sim_arena *arena, struct tr_error *err);

// Frees everything; the arena is empty afterwards.
void sim_arena_close(struct sim_arena *arena);

#endif
