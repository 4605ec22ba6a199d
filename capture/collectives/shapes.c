// SPDX-License-Identifier: GPL-3.0-or-later
#include "collectives/collective.h"

struct cube cube_of(const struct stage *stage)
{
	uint32_t ranks = stage_ranks(stage);
	uint32_t place = stage->place;
	struct cube cube = {.corners = UINT32_C(1) << (31 - __builtin_clz(ranks))};

	cube.folded = ranks - cube.corners;
	if (place < 2 * cube.folded) {
		cube.corner = place / 2;
		cube.odd = place % 2 == 1;
	} else {
		cube.corner = place - cube.folded;
	}
	return cube;
}

static uint32_t cube_turned(const struct cube *cube, uint32_t corner)
{
	uint32_t turned = 0;

	for (uint32_t bit = 1; bit < cube->corners; bit *= 2)
		turned = 2 * turned + ((corner & bit) > 0);
	return turned;
}

struct cube cube_near(const struct stage *stage)
{
	struct cube cube = cube_of(stage);

	cube.near = true;
	cube.corner = cube_turned(&cube, cube.corner);
	return cube;
}

static uint32_t cube_place(const struct cube *cube, uint32_t corner)
{
	corner = cube->near ? cube_turned(cube, corner) : corner;
	return corner < cube->folded ? 2 * corner : corner + cube->folded;
}

static bool is_folded(const struct stage *stage, const struct cube *cube)
{
	return stage->place < 2 * cube->folded;
}

void cube_fold(struct stage *stage, const struct cube *cube, struct blocks blocks)
{
	if (is_folded(stage, cube)) {
		if (cube->odd)
			stage_send(stage, stage->place - 1, blocks);
		else
			stage_recv(stage, stage->place + 1, blocks);
	}
	stage->round++;
}

void cube_unfold(struct stage *stage, const struct cube *cube, struct blocks blocks)
{
	if (is_folded(stage, cube)) {
		if (cube->odd)
			stage_recv(stage, stage->place - 1, blocks);
		else
			stage_send(stage, stage->place + 1, blocks);
	}
	stage->round++;
}

// The same exchange with the neighbour in each dimension, always of all parts: each corner gets the
// combination of all.
static void cube_combine(struct stage *stage, const struct cube *cube)
{
	stage->carry = CARRY_ADD;
	for (uint32_t bit = 1; bit < cube->corners; bit *= 2) {
		uint32_t other = cube_place(cube, cube->corner ^ bit);

		if (!cube->odd)
			stage_swap(stage, other, stage_all(stage), other, stage_all(stage));
		stage->round++;
	}
	stage->carry = CARRY_PUT;
}

void cube_combine_all(struct stage *stage)
{
	const struct cube cube = cube_of(stage);

	stage->carry = CARRY_ADD;
	cube_fold(stage, &cube, stage_all(stage));
	cube_combine(stage, &cube);
	cube_unfold(stage, &cube, stage_all(stage));
}

// Where the corner's own parts begin.
static uint32_t shapes_part_of(const struct stage *stage, const struct cube *cube, uint32_t corner)
{
	return stage->collective->parts == cube->corners ? corner : cube_place(cube, corner);
}

// The parts of count corners, from the first that shares the corner's higher bits.
static struct blocks parts_of(const struct stage *stage, const struct cube *cube, uint32_t corner,
			      uint32_t count)
{
	uint32_t base = corner & ~(count - 1);
	uint32_t first = shapes_part_of(stage, cube, base);

	return stage_some(stage, first, shapes_part_of(stage, cube, base + count) - first);
}

void cube_halve(struct stage *stage, const struct cube *cube)
{
	stage->carry = CARRY_ADD;
	for (uint32_t bit = cube->corners / 2; bit > 0; bit /= 2) {
		uint32_t other = cube->corner ^ bit;

		if (!cube->odd)
			stage_swap(stage, cube_place(cube, other),
				   parts_of(stage, cube, other, bit), cube_place(cube, other),
				   parts_of(stage, cube, cube->corner, bit));
		stage->round++;
	}
	stage->carry = CARRY_PUT;
}

void cube_double(struct stage *stage, const struct cube *cube)
{
	for (uint32_t bit = 1; bit < cube->corners; bit *= 2) {
		uint32_t other = cube->corner ^ bit;

		if (!cube->odd)
			stage_swap(stage, cube_place(cube, other),
				   parts_of(stage, cube, cube->corner, bit),
				   cube_place(cube, other), parts_of(stage, cube, other, bit));
		stage->round++;
	}
}

void cube_collect(struct stage *stage, const struct cube *cube)
{
	bool given = cube->odd;

	for (uint32_t bit = 1; bit < cube->corners; bit *= 2) {
		uint32_t other = cube->corner ^ bit;

		if (!given && (cube->corner & bit))
			stage_send(stage, cube_place(cube, other),
				   parts_of(stage, cube, cube->corner, bit));
		else if (!given)
			stage_recv(stage, cube_place(cube, other),
				   parts_of(stage, cube, other, bit));
		given = given || (cube->corner & bit);
		stage->round++;
	}
}

struct ring ring_of_all(const struct stage *stage)
{
	return (struct ring){
		.stride = 1, .places = stage_ranks(stage), .own = stage->place, .width = 1};
}

static struct blocks ring_block(const struct stage *stage, const struct ring *ring, uint32_t behind)
{
	uint64_t place = (ring->own + (uint64_t)ring->places - behind % ring->places) %
			 ring->places;

	return stage_some(stage, ring->part + place * ring->width, ring->width);
}

// In each round each place forwards the block of the place behind positions back, and receives that
// of the one behind it.
static void shapes_pass(struct stage *stage, const struct ring *ring, uint32_t behind)
{
	uint32_t next = (ring->own + 1) % ring->places;
	uint32_t last = (ring->own + ring->places - 1) % ring->places;

	stage_swap(stage, ring->first + next * ring->stride, ring_block(stage, ring, behind),
		   ring->first + last * ring->stride, ring_block(stage, ring, behind + 1));
	stage->round++;
}

void ring_spread(struct stage *stage, const struct ring *ring)
{
	for (uint32_t round = 0; round + 1 < ring->places; round++)
		shapes_pass(stage, ring, round);
}

void ring_combine(struct stage *stage, const struct ring *ring)
{
	stage->carry = CARRY_ADD;
	for (uint32_t round = 0; round + 1 < ring->places; round++)
		shapes_pass(stage, ring, round + 1);
	stage->carry = CARRY_PUT;
}

void star_spread(struct stage *stage, struct blocks blocks)
{
	if (stage->place > 0)
		stage_recv(stage, 0, blocks);
	for (uint32_t to = 1; stage->place == 0 && to < stage_ranks(stage); to++)
		stage_send(stage, to, blocks);
	stage->round++;
}

void star_combine(struct stage *stage, struct blocks blocks)
{
	if (stage->place > 0) {
		stage_send(stage, 0, blocks);
	} else {
		stage->carry = CARRY_ADD;
		stage_together(stage);
		for (uint32_t from = 1; from < stage_ranks(stage); from++) {
			stage_branch(stage);
			stage_recv(stage, from, blocks);
		}
		stage_meet(stage);
		stage->carry = CARRY_PUT;
	}
	stage->round++;
}

void star_scatter(struct stage *stage)
{
	if (stage->place > 0)
		stage_recv(stage, 0, stage_some(stage, stage->place, 1));
	for (uint32_t to = 1; stage->place == 0 && to < stage_ranks(stage); to++)
		stage_send(stage, to, stage_some(stage, to, 1));
	stage->round++;
}

void star_gather(struct stage *stage)
{
	if (stage->place > 0) {
		stage_send(stage, 0, stage_some(stage, stage->place, 1));
	} else {
		stage_together(stage);
		for (uint32_t from = 1; from < stage_ranks(stage); from++) {
			stage_branch(stage);
			stage_recv(stage, from, stage_some(stage, from, 1));
		}
		stage_meet(stage);
	}
	stage->round++;
}

static uint32_t highest_bit(uint32_t place)
{
	return place ? UINT32_C(1) << (31 - __builtin_clz(place)) : 0;
}

// For place 0: the least power of two that is no less than the ranks.
static uint32_t lowest_bit(const struct stage *stage)
{
	uint32_t bit = 1;

	if (stage->place > 0)
		return stage->place & -stage->place;
	while (bit < stage_ranks(stage))
		bit *= 2;
	return bit;
}

static unsigned shapes_number_of(uint32_t bit)
{
	return (unsigned)__builtin_ctz(bit);
}

void tree_spread(struct stage *stage, struct blocks blocks)
{
	uint32_t place = stage->place;
	uint32_t own = highest_bit(place);
	uint32_t start = stage->round;

	if (place > 0) {
		stage->round = start + shapes_number_of(own);
		stage_recv(stage, place - own, blocks);
	}
	for (uint64_t bit = own ? 2 * (uint64_t)own : 1; place + bit < stage_ranks(stage);
	     bit *= 2) {
		stage->round = start + shapes_number_of((uint32_t)bit);
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
		stage->round = start + shapes_number_of(bit);
		if ((uint64_t)place + bit < stage_ranks(stage))
			stage_recv(stage, place + bit, blocks);
	}
	stage->round = start + shapes_number_of(own ? own : 1);
	if (place > 0)
		stage_send(stage, place - own, blocks);
	stage->round = start + 32;
	stage->carry = CARRY_PUT;
}

// Blocks of place and its subtree, at most bit of them.
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

	stage->round = start + shapes_number_of(own);
	if (place > 0)
		stage_recv(stage, place - own, below(stage, place, own));
	for (uint32_t bit = own / 2; bit > 0; bit /= 2) {
		stage->round = start + shapes_number_of(bit);
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
		stage->round = start + shapes_number_of(bit);
		if ((uint64_t)place + bit < stage_ranks(stage))
			stage_recv(stage, place + bit, below(stage, place + bit, bit));
	}
	stage->round = start + shapes_number_of(own);
	if (place > 0)
		stage_send(stage, place - own, below(stage, place, own));
	stage->round = start + 32;
}

void collective_doubling(struct stage *stage, uint32_t place)
{
	(void)place;
	cube_combine_all(stage);
}

void collective_binomial(struct stage *stage, uint32_t place)
{
	(void)place;
	tree_combine(stage, stage_all(stage));
	tree_spread(stage, stage_all(stage));
}

void collective_linear(struct stage *stage, uint32_t place)
{
	(void)place;
	star_combine(stage, stage_all(stage));
	star_spread(stage, stage_all(stage));
}
