// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/present.h"

#include <string.h>

#define SOME 64u // are sorted each by how many go before it: no branch to guess
#define FEW 4u   // by insertion
#define LANES 4u // that many are compared at a time

void sim_present_layout(struct sim_present *present, struct sim_arena *arena, uint32_t capacity)
{
	size_t room = (size_t)capacity + SIM_BLOCK_NEAR; // blocks are copied whole

	*present = (struct sim_present){.free_cell = SIM_NONE};
	present->batch = sim_arena_take(arena, room, sizeof(*present->batch));
	present->scratch = sim_arena_take(arena, room, sizeof(*present->scratch));
	present->cells = sim_arena_take(arena, capacity, sizeof(*present->cells));
}

// Stable.
static void sort_few(const struct sim_item *from, struct sim_item *to, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t hole = i;

		for (; hole > 0 && to[hole - 1].key > from[i].key; hole--)
			to[hole] = to[hole - 1];
		to[hole] = from[i];
	}
}

// Stable; count is at most SOME.
static void sort_some(const struct sim_item *from, struct sim_item *to, uint32_t count)
{
	uint32_t padded = (count + LANES - 1) / LANES * LANES;
	int32_t keys[SOME];
	uint64_t taken = 0;

	for (uint32_t i = 0; i < padded; i++)
		keys[i] = i < count ? (int32_t)(from[i].key ^ UINT32_C(1) << 31) : INT32_MAX;
	for (uint32_t i = 0; i < count; i++) {
		int32_t less[LANES] = {0};
		uint32_t place = 0;

		for (uint32_t j = 0; j < padded; j += LANES)
			for (uint32_t lane = 0; lane < LANES; lane++)
				less[lane] += keys[j + lane] < keys[i];
		for (uint32_t lane = 0; lane < LANES; lane++)
			place += (uint32_t)less[lane];
		place += (uint32_t)__builtin_ctzll(~(taken >> place)); // behind equal ones
		taken |= UINT64_C(1) << place;
		to[place] = from[i];
	}
}

// Keeps the order of equal bytes; false where all are equal, and nothing was done.
static bool sort_byte(const struct sim_item *from, struct sim_item *to, uint32_t count,
		      unsigned shift)
{
	uint32_t places[256] = {0};
	uint32_t sum = 0;

	for (uint32_t i = 0; i < count; i++)
		places[from[i].key >> shift & 255]++;
	if (places[from[0].key >> shift & 255] == count)
		return false;
	for (unsigned byte = 0; byte < 256; byte++) {
		uint32_t here = places[byte];

		places[byte] = sum;
		sum += here;
	}
	for (uint32_t i = 0; i < count; i++)
		to[places[from[i].key >> shift & 255]++] = from[i];
	return true;
}

// Stable, byte by byte of the key; items is overwritten, the result is in out.
static void sort_many(struct sim_item *items, struct sim_item *out, uint32_t count)
{
	struct sim_item *from = items;
	struct sim_item *to = out;

	for (unsigned shift = 0; shift < 32; shift += 8)
		if (sort_byte(from, to, count, shift)) {
			struct sim_item *swap = from;

			from = to;
			to = swap;
		}
	if (from != out)
		memcpy(out, from, count * sizeof(*out));
}

void sim_present_begin(struct sim_present *present, struct sim_pool *pool, uint32_t block)
{
	uint32_t end = 0;

	while (block != SIM_NONE) {
		const struct sim_block *from = &pool->blocks[block];
		uint32_t next = from->next;

		memcpy(present->scratch + end, from->near, sizeof(from->near)); // some of it is none
		end += from->count;
		sim_pool_give_back(pool, block);
		block = next;
	}
	present->first = 0;
	present->end = end;
	if (end > SOME)
		sort_many(present->scratch, present->batch, end);
	else if (end <= FEW)
		sort_few(present->scratch, present->batch, end);
	else
		sort_some(present->scratch, present->batch, end);
}

void sim_present_add(struct sim_present *present, struct sim_item item)
{
	unsigned phase = SIM_KEY_PHASE(item.key);
	struct sim_phase_list *list = &present->phases[phase];
	struct sim_cell *cells = present->cells;
	uint32_t index = present->free_cell;

	if (index != SIM_NONE)
		present->free_cell = cells[index].next;
	else
		index = present->fresh_cell++;
	cells[index] = (struct sim_cell){SIM_NONE, item};
	if (present->open >> phase & 1) {
		list->sorted = list->sorted && cells[list->last].item.key <= item.key;
		cells[list->last].next = index;
		list->last = index;
	} else {
		*list = (struct sim_phase_list){index, index, true};
		present->open |= 1u << phase;
	}
}

static uint32_t merge(struct sim_cell *cells, uint32_t a, uint32_t b)
{
	uint32_t first = SIM_NONE;
	uint32_t *end = &first;

	while (a != SIM_NONE && b != SIM_NONE) {
		uint32_t *from = cells[b].item.key < cells[a].item.key ? &b : &a;

		*end = *from;
		end = &cells[*from].next;
		*from = *end;
	}
	*end = a != SIM_NONE ? a : b;
	return first;
}

// Stable merge sort of count cells from *rest on, which is moved behind them.
static uint32_t sort(struct sim_cell *cells, uint32_t *rest, uint32_t count)
{
	uint32_t first = *rest;
	uint32_t left;

	if (count == 1) {
		*rest = cells[first].next;
		cells[first].next = SIM_NONE;
		return first;
	}
	left = sort(cells, rest, count / 2);
	return merge(cells, left, sort(cells, rest, count - count / 2));
}

static void sort_phase(struct sim_cell *cells, struct sim_phase_list *list)
{
	uint32_t rest = list->first;
	uint32_t count = 0;

	for (uint32_t index = rest; index != SIM_NONE; index = cells[index].next)
		count++;
	list->first = sort(cells, &rest, count);
	for (uint32_t index = list->first; index != SIM_NONE; index = cells[index].next)
		list->last = index;
	list->sorted = true;
}

struct sim_item sim_present_first_open(struct sim_present *present)
{
	unsigned phase = (unsigned)__builtin_ctz(present->open);
	struct sim_phase_list *list = &present->phases[phase];
	uint32_t index;

	if (!list->sorted)
		sort_phase(present->cells, list);
	index = list->first;
	// What waited for the tick was pushed before what is caused in it.
	if (present->first < present->end &&
	    present->batch[present->first].key <= present->cells[index].item.key)
		return present->batch[present->first++];
	list->first = present->cells[index].next;
	if (list->first == SIM_NONE)
		present->open &= ~(1u << phase);
	present->cells[index].next = present->free_cell;
	present->free_cell = index;
	return present->cells[index].item;
}
