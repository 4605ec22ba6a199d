// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/events.h"

#include <assert.h>

#define TICK_SLOTS (1u << SIM_TICK_BITS)
#define UPPER_SLOTS (1u << SIM_UPPER_BITS)

_Static_assert(SIM_TICK_BITS + SIM_UPPER_WHEELS * SIM_UPPER_BITS == 64, "wheels count all times");
_Static_assert(TICK_SLOTS <= SIM_WHEEL_WORDS * 64, "a wheel has so many slots");

// Blocks for capacity events however they are spread: each slot in use has one that is not full;
// and one is being emptied.
static uint32_t most_blocks(uint32_t capacity)
{
	uint32_t slots = TICK_SLOTS + SIM_UPPER_WHEELS * UPPER_SLOTS;

	return capacity / SIM_BLOCK_FAR + (capacity < slots ? capacity : slots) + 2;
}

void sim_events_layout(struct sim_events *events, struct sim_arena *arena, uint32_t capacity,
		       int64_t start_ticks)
{
	*events = (struct sim_events){.now_ticks = start_ticks,
				      .position_ticks = start_ticks,
				      .capacity = capacity,
				      .pool.free = SIM_NONE};
	sim_present_layout(&events->present, arena, capacity);
	events->pool.blocks =
		sim_arena_take(arena, most_blocks(capacity), sizeof(*events->pool.blocks));
	sim_wheel_layout(&events->ticks, arena, TICK_SLOTS);
	for (unsigned i = 0; i < SIM_UPPER_WHEELS; i++)
		sim_wheel_layout(&events->upper[i], arena, UPPER_SLOTS);
}

// The lowest bit of the time that an upper wheel counts.
static unsigned shift_of(unsigned wheel)
{
	return SIM_TICK_BITS + wheel * SIM_UPPER_BITS;
}

// The slot of an upper wheel in which a time lies; negative times come before the others.
static uint32_t slot_of(int64_t time_ticks, unsigned wheel)
{
	uint64_t since_least = (uint64_t)time_ticks ^ (uint64_t)1 << 63;

	return (uint32_t)(since_least >> shift_of(wheel)) % UPPER_SLOTS;
}

static void place_far(struct sim_events *events, const struct sim_event *event, uint64_t apart)
{
	unsigned bits = 63 - (unsigned)__builtin_clzll(apart);
	unsigned wheel = (bits - SIM_TICK_BITS) / SIM_UPPER_BITS;
	struct sim_block *block = sim_wheel_room(&events->upper[wheel], &events->pool,
						 slot_of(event->time_ticks, wheel), SIM_BLOCK_FAR);

	block->far[block->count++] = *event;
}

static inline void place(struct sim_events *events, const struct sim_event *event)
{
	uint64_t apart = (uint64_t)event->time_ticks ^ (uint64_t)events->position_ticks;
	struct sim_block *block;

	if (apart >= TICK_SLOTS) {
		place_far(events, event, apart);
		return;
	}
	block = sim_wheel_room(&events->ticks, &events->pool,
			       (uint32_t)event->time_ticks % TICK_SLOTS, SIM_BLOCK_NEAR);
	block->near[block->count++] = (struct sim_item){event->key, event->aux};
}

void sim_events_push(struct sim_events *events, int64_t time_ticks, uint32_t key, uint32_t aux)
{
	assert(time_ticks >= events->now_ticks);
	if (events->pending == events->capacity) {
		events->exhausted = true;
		return;
	}
	events->pending++;
	if (time_ticks == events->now_ticks)
		sim_present_add(&events->present, (struct sim_item){key, aux});
	else
		place(events, &(struct sim_event){time_ticks, key, aux});
}

// Moves a list of events further down.
static void descend(struct sim_events *events, uint32_t block)
{
	while (block != SIM_NONE) {
		struct sim_block *from = &events->pool.blocks[block];
		uint32_t next = from->next;

		for (uint32_t i = 0; i < from->count; i++)
			place(events, &from->far[i]);
		sim_pool_give_back(&events->pool, block);
		block = next;
	}
}

// Moves to the next slot in use of the lowest upper wheel that has one. Where it has one event,
// which is then the first of all, that is *alone; others move further down.
static bool turn_upper(struct sim_events *events, struct sim_event *alone)
{
	uint32_t slot = SIM_NONE;
	unsigned wheel = 0;
	uint64_t position;
	uint32_t block;

	for (;; wheel++) {
		slot = sim_wheel_next(&events->upper[wheel],
				      slot_of(events->position_ticks, wheel));
		if (slot != SIM_NONE)
			break;
	}
	block = sim_wheel_take(&events->upper[wheel], &events->pool, slot);
	if (events->pool.blocks[block].count == 1) {
		*alone = events->pool.blocks[block].far[0];
		events->position_ticks = alone->time_ticks;
		sim_pool_give_back(&events->pool, block);
		return true;
	}
	position = (uint64_t)events->position_ticks >> shift_of(wheel);
	position += slot - slot_of(events->position_ticks, wheel);
	events->position_ticks = (int64_t)(position << shift_of(wheel));
	descend(events, block);
	return false;
}

// Moves to the next tick in use; false where this round of the wheel of ticks has none. Where it
// has one event, that is *alone; several are present.
static bool turn_ticks(struct sim_events *events, struct sim_event *alone, bool *is_alone)
{
	uint32_t here = (uint32_t)events->position_ticks % TICK_SLOTS;
	uint32_t slot = sim_wheel_next(&events->ticks, here);
	uint32_t block;

	if (slot == SIM_NONE)
		return false;
	events->position_ticks += slot - here;
	block = sim_wheel_take(&events->ticks, &events->pool, slot);
	*is_alone = events->pool.blocks[block].count == 1;
	if (*is_alone) {
		const struct sim_item *item = &events->pool.blocks[block].near[0];

		*alone = (struct sim_event){events->position_ticks, item->key, item->aux};
		sim_pool_give_back(&events->pool, block);
	} else {
		sim_present_begin(&events->present, &events->pool, block);
	}
	return true;
}

// Moves the clock to the next tick that has events; there must be one. True where that is one
// event, which is then *alone and not among the present ones.
static bool advance(struct sim_events *events, struct sim_event *alone)
{
	bool is_alone = false;

	while (!is_alone && !turn_ticks(events, alone, &is_alone))
		is_alone = turn_upper(events, alone);
	events->now_ticks = events->position_ticks;
	return is_alone;
}

bool sim_events_pop_other(struct sim_events *events, struct sim_event *out)
{
	struct sim_item item;

	if (events->pending == 0)
		return false;
	events->pending--;
	if (sim_present_empty(&events->present) && advance(events, out))
		return true;
	item = sim_present_first(&events->present);
	*out = (struct sim_event){events->now_ticks, item.key, item.aux};
	return true;
}
