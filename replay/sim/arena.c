// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/arena.h"

#include <stdint.h>
#include <sys/mman.h>

#define LINE_BYTES ((size_t)64)

static void *arena_fail(struct sim_arena *arena)
{
	arena->used_bytes = SIZE_MAX;
	return NULL;
}

void *sim_arena_take(struct sim_arena *arena, size_t count, size_t each_bytes)
{
	size_t start = arena->used_bytes;
	size_t bytes;

	if (sim_arena_broken(arena) || __builtin_mul_overflow(count, each_bytes, &bytes) ||
	    bytes > SIZE_MAX - 2 * LINE_BYTES - start)
		return arena_fail(arena);
	bytes = (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
	if (arena->base && bytes > arena->size_bytes - start)
		return arena_fail(arena);
	arena->used_bytes = start + bytes;
	return arena->base ? arena->base + start : NULL;
}

bool sim_arena_broken(const struct sim_arena *arena)
{
	return arena->used_bytes == SIZE_MAX;
}

enum tr_status sim_arena_open(struct sim_arena *arena, struct tr_error *err)
{
	const size_t size = arena->used_bytes > 0 ? arena->used_bytes : 1;

	if (sim_arena_broken(arena))
		return tr_fail(err, "the simulation needs more memory than can be counted");
	// Room for the most worms that may be under way is often more than there is memory; pages
	// cost nothing until used.
	arena->base = mmap(NULL, size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (arena->base == MAP_FAILED) {
		arena->base = NULL;
		return tr_no_memory(err, "the simulation: %zu bytes are needed", size);
	}
	arena->size_bytes = size;
	arena->used_bytes = 0;
	return TR_OK;
}

void sim_arena_close(struct sim_arena *arena)
{
	if (arena->base)
		munmap(arena->base, arena->size_bytes);
	*arena = (struct sim_arena){0};
}
