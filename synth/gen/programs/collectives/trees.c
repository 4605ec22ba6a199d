// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/programs/collectives/trees.h"

static uint32_t highest_bit(uint32_t place)
{
	return place ? UINT32_C(1) << (31 - __builtin_clz(place)) : 0;
}

// Of place 0: the least power of two that is no less than the ranks.
static uint32_t lowest_bit(const struct stage *stage)
{
	uint32_t bit = 1;

	if (stage->place > 0)
		return stage->place & -stage->place;
	while (bit < stage_ranks(stage))
		bit *= 2;
	return bit;
}

static unsigned number_of(uint32_t bit)
{
	return (unsigned)__builtin_ctz(bit);
}

void tree_spread(struct stage *stage, struct blocks blocks)
{
	uint32_t place = stage->place;
	uint32_t own = highest_bit(place);
	uint32_t start = stage->round;

	if (place > 0) {
		stage->round = start + number_of(own);
		stage_recv(stage, place - own, blocks);
	}
	for (uint64_t bit = own ? 2 * (uint64_t)own : 1; place + bit < stage_ranks(stage); bit *= 2) {
		stage->round = start + number_of((uint32_t)bit);
		stage_send(stage, place + (uint32_t)bit, blocks);
	}
	stage->round = start + 32;
}

void tree_combine(struct stage *stage, struct blocks blocks)
{
	uint32_t place = stage->place;
	uint32_t own = highest_bit(place);
	uint32_t start = stage->round;

	stage->carry = CARRY_ADD;
	for (uint32_t bit = highest_bit(stage_ranks(stage) - 1); bit > own; bit /= 2) {
		stage->round = start + number_of(bit);
		if ((uint64_t)place + bit < stage_ranks(stage))
			stage_recv(stage, place + bit, blocks);
	}
	stage->round = start + number_of(own ? own : 1);
	if (place > 0)
		stage_send(stage, place - own, blocks);
	stage->round = start + 32;
	stage->carry = CARRY_PUT;
}

// Blocks of the places that stand at place and below it, bit of them at most.
static struct blocks below(const struct stage *stage, uint32_t place, uint32_t bit)
{
	uint32_t rest = stage_ranks(stage) - place;

	return stage_some(stage, place, bit < rest ? bit : rest);
}

void tree_scatter(struct stage *stage)
{
	uint32_t place = stage->place;
	uint32_t own = lowest_bit(stage);
	uint32_t start = stage->round;

	stage->round = start + number_of(own);
	if (place > 0)
		stage_recv(stage, place - own, below(stage, place, own));
	for (uint32_t bit = own / 2; bit > 0; bit /= 2) {
		stage->round = start + number_of(bit);
		if ((uint64_t)place + bit < stage_ranks(stage))
			stage_send(stage, place + bit, below(stage, place + bit, bit));
	}
	stage->round = start + 32;
}

void tree_gather(struct stage *stage)
{
	uint32_t place = stage->place;
	uint32_t own = lowest_bit(stage);
	uint32_t start = stage->round;

	for (uint32_t bit = 1; bit < own; bit *= 2) {
		stage->round = start + number_of(bit);
		if ((uint64_t)place + bit < stage_ranks(stage))
			stage_recv(stage, place + bit, below(stage, place + bit, bit));
	}
	stage->round = start + number_of(own);
	if (place > 0)
		stage_send(stage, place - own, below(stage, place, own));
	stage->round = start + 32;
}
