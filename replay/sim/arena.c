// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/arena.h"

#include <stdint.h>
#include <sys/mman.h>

#include "sim/memory_left.h"

#define LINE_BYTES ((size_t)64)
#define HUGE_BYTES ((size_t)2 << 20)

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

// Asks for huge pages where they are covered as a whole; without, the memory is only slower.
static void arena_use_huge(unsigned char *memory, size_t size_bytes)
{
	const size_t before = -(uintptr_t)memory % HUGE_BYTES;

	if (size_bytes >= before + HUGE_BYTES)
		(void)madvise(memory + before, (size_bytes - before) / HUGE_BYTES * HUGE_BYTES,
			      MADV_HUGEPAGE);
}

void *sim_arena_grow(struct sim_arena *arena, size_t count, size_t each_bytes)
{
	unsigned char *taken = sim_arena_take(arena, count, each_bytes);

	if (taken && !arena->scattered)
		arena_use_huge(taken, count * each_bytes);
	return taken;
}

void *sim_arena_fill(struct sim_arena *arena, size_t count, size_t each_bytes)
{
	const size_t start = arena->used_bytes;
	void *taken = sim_arena_grow(arena, count, each_bytes);

	if (!sim_arena_broken(arena))
		arena->filled_bytes += arena->used_bytes - start;
	return taken;
}

bool sim_arena_broken(const struct sim_arena *arena)
{
	return arena->used_bytes == SIZE_MAX;
}

enum tr_status sim_arena_open(struct sim_arena *arena, struct tr_error *err)
{
	const size_t size = arena->used_bytes > 0 ? arena->used_bytes : 1;
	uint64_t left_bytes;

	if (sim_arena_broken(arena))
		return tr_fail(err, "the simulation needs more memory than can be counted");
	left_bytes = sim_memory_left();
	if (arena->filled_bytes > left_bytes && !arena->scattered)
		return tr_no_memory(err,
				    "the simulation: its network takes at least %.3g GB, and %.3g "
				    "GB are left",
				    (double)arena->filled_bytes / 1e9, (double)left_bytes / 1e9);
	// Room for the most worms that may be under way is often more than there is memory; pages
	// cost nothing until used.
	arena->base = mmap(NULL, size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (arena->base == MAP_FAILED) {
		arena->base = NULL;
		return tr_no_memory(err, "the simulation: %zu bytes are needed", size);
	}
	arena->size_bytes = size;
	arena->used_bytes = arena->filled_bytes = 0;
	return TR_OK;
}

void sim_arena_close(struct sim_arena *arena)
{
	if (arena->base)
		munmap(arena->base, arena->size_bytes);
	*arena = (struct sim_arena){0};
}
