// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/wheel.h"

void sim_wheel_layout(struct sim_wheel *wheel, struct sim_arena *arena, uint32_t slots)
{
	*wheel = (struct sim_wheel){0};
	wheel->last = sim_arena_take(arena, slots, sizeof(*wheel->last));
	wheel->marked = sim_arena_take(arena, slots / 64, sizeof(*wheel->marked));
}

uint32_t sim_wheel_next_word(const struct sim_wheel *wheel, uint32_t word)
{
	uint64_t bits = wheel->summary[word / 64] & ~(uint64_t)1 << (word % 64);

	for (word /= 64; bits == 0; bits = wheel->summary[word])
		if (++word == SIM_WHEEL_WORDS / 64)
			return SIM_NONE;
	word = word * 64 + (uint32_t)__builtin_ctzll(bits);
	return word * 64 + (uint32_t)__builtin_ctzll(wheel->marked[word]);
}

uint32_t sim_wheel_take(struct sim_wheel *wheel, struct sim_pool *pool, uint32_t slot)
{
	uint32_t last = wheel->last[slot];
	uint32_t first = pool->blocks[last].next;

	pool->blocks[last].next = SIM_NONE;
	wheel->marked[slot / 64] &= ~((uint64_t)1 << (slot % 64));
	if (wheel->marked[slot / 64] == 0)
		wheel->summary[slot / 4096] &= ~((uint64_t)1 << (slot / 64 % 64));
	return first;
}

struct sim_block *sim_wheel_extend(struct sim_wheel *wheel, struct sim_pool *pool, uint32_t slot)
{
	uint64_t bit = (uint64_t)1 << (slot % 64);
	uint32_t index = pool->free;
	struct sim_block *block;

	if (index == SIM_NONE)
		index = pool->fresh++;
	else
		pool->free = pool->blocks[index].next;
	block = &pool->blocks[index];
	block->count = 0;
	if (wheel->marked[slot / 64] & bit) {
		block->next = pool->blocks[wheel->last[slot]].next;
		pool->blocks[wheel->last[slot]].next = index;
	} else {
		block->next = index;
		wheel->marked[slot / 64] |= bit;
		wheel->summary[slot / 4096] |= (uint64_t)1 << (slot / 64 % 64);
	}
	wheel->last[slot] = index;
	return block;
}
