// SPDX-License-Identifier: GPL-3.0-or-later
// One level of the event set's timing wheels (Varghese and Lauck, Hashed and hierarchical timing
// wheels, SOSP 1987): a list of events for each slot, first in, first out, and bits that tell which
// slots have one. Lists are of blocks of a cache line each; all levels share one pool of them.
#ifndef SIM_WHEEL_H
#define SIM_WHEEL_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/arena.h"

#define SIM_NONE UINT32_MAX
#define SIM_WHEEL_WORDS 1024u // of 64 slots
#define SIM_BLOCK_NEAR 7u
#define SIM_BLOCK_FAR 3u

struct sim_event {
	int64_t time_ticks;
	uint32_t key; // phase and component
	uint32_t aux; // whatever the pusher said
};

struct sim_item { // an event whose time is known from where it is
	uint32_t key;
	uint32_t aux;
};

struct sim_block {
	uint32_t next; // of the last block of a slot: its first
	uint32_t count;
	union {
		struct sim_item near[SIM_BLOCK_NEAR]; // in a slot of one tick
		struct sim_event far[SIM_BLOCK_FAR];  // in a wider one
	};
};

struct sim_pool {
	struct sim_block *blocks;
	uint32_t free;
	uint32_t fresh; // blocks from here on were never used
};

struct sim_wheel {
	uint32_t *last; // block of each slot that is marked
	uint64_t *marked;
	uint64_t summary[SIM_WHEEL_WORDS / 64]; // words of marked that are not zero
};

// Takes room for so many slots, a multiple of 64, and marks none.
void sim_wheel_layout(struct sim_wheel *wheel, struct sim_arena *arena, uint32_t slots);

// First slot that has events in a word of marks after this one, SIM_NONE where there is none.
uint32_t sim_wheel_next_word(const struct sim_wheel *wheel, uint32_t word);

// Takes a slot's events out: the first of its blocks, the last one's next being SIM_NONE.
uint32_t sim_wheel_take(struct sim_wheel *wheel, struct sim_pool *pool, uint32_t slot);

// A block more for a slot.
struct sim_block *sim_wheel_extend(struct sim_wheel *wheel, struct sim_pool *pool, uint32_t slot);

// First slot from start on that has events, SIM_NONE where there is none.
static inline uint32_t sim_wheel_next(const struct sim_wheel *wheel, uint32_t start)
{
	uint64_t slots = wheel->marked[start / 64] >> (start % 64);

	return slots != 0 ? start + (uint32_t)__builtin_ctzll(slots) :
			    sim_wheel_next_word(wheel, start / 64);
}

// The slot's last block, in which there is room for one more of per_block events. Its count is the
// caller's to raise.
static inline struct sim_block *sim_wheel_room(struct sim_wheel *wheel, struct sim_pool *pool,
					       uint32_t slot, uint32_t per_block)
{
	if (wheel->marked[slot / 64] >> (slot % 64) & 1) {
		struct sim_block *block = &pool->blocks[wheel->last[slot]];

		if (block->count < per_block)
			return block;
	}
	return sim_wheel_extend(wheel, pool, slot);
}

static inline void sim_pool_give_back(struct sim_pool *pool, uint32_t block)
{
	pool->blocks[block].next = pool->free;
	pool->free = block;
}

#endif
