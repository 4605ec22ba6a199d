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

void cube_fold(struct stage *stage, const struct cube *cube, struct blocks blocks, bool back)
{
	if (stage->place < 2 * cube->folded)
		(cube->odd != back ? stage_send : stage_recv)(stage, stage->place ^ 1, blocks);
	stage->round++;
}

// After folding, the same exchange with the neighbour in each dimension, always of all parts: each
// corner gets the combination of all.
void cube_combine_all(struct stage *stage)
{
	const struct cube cube = cube_of(stage);
	const struct blocks all = stage_all(stage);

	stage->carry = CARRY_ADD;
	cube_fold(stage, &cube, all, false);
	for (uint32_t bit = 1; bit < cube.corners; bit *= 2, stage->round++) {
		uint32_t other = cube_place(&cube, cube.corner ^ bit);

		if (!cube.odd)
			stage_swap(stage, other, all, other, all);
	}
	stage->carry = CARRY_PUT;
	cube_fold(stage, &cube, all, true);
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

// A corner has its own parts, or else gets them, and the neighbour in the dimension has the others.
static void cube_swap(struct stage *stage, const struct cube *cube, uint32_t bit, bool has)
{
	const uint32_t other = cube->corner ^ bit, place = cube_place(cube, other);
	const struct blocks own = parts_of(stage, cube, cube->corner, bit);
	const struct blocks others = parts_of(stage, cube, other, bit);

	if (!cube->odd)
		stage_swap(stage, place, has ? own : others, place, has ? others : own);
	stage->round++;
}

void cube_halve(struct stage *stage, const struct cube *cube)
{
	stage->carry = CARRY_ADD;
	for (uint32_t bit = cube->corners / 2; bit > 0; bit /= 2)
		cube_swap(stage, cube, bit, false);
	stage->carry = CARRY_PUT;
}

void cube_double(struct stage *stage, const struct cube *cube)
{
	for (uint32_t bit = 1; bit < cube->corners; bit *= 2)
		cube_swap(stage, cube, bit, true);
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

// Place 0 sends to each place, or receives from it, these blocks or, of some, the place's own.
static void star_pass(struct stage *stage, const struct blocks *all, bool up)
{
	const uint32_t count = stage->place > 0 ? 2 : stage_ranks(stage);

	if (up && stage->place == 0)
		sequence_together(stage->sequence);
	for (uint32_t i = 1; i < count; i++) {
		const uint32_t other = stage->place > 0 ? 0 : i;
		const struct blocks own = stage_some(stage, stage->place + other, 1);

		if (up && stage->place == 0)
			sequence_branch(stage->sequence);
		(up == (stage->place > 0) ? stage_send : stage_recv)(stage, other,
								     all ? *all : own);
	}
	if (up && stage->place == 0)
		sequence_meet(stage->sequence);
	stage->round++;
}

void star_spread(struct stage *stage, struct blocks blocks)
{
	star_pass(stage, &blocks, false);
}

void star_combine(struct stage *stage, struct blocks blocks)
{
	stage->carry = CARRY_ADD;
	star_pass(stage, &blocks, true);
	stage->carry = CARRY_PUT;
}

void star_scatter(struct stage *stage)
{
	star_pass(stage, NULL, false);
}

void star_gather(struct stage *stage)
{
	star_pass(stage, NULL, true);
}

// A message with the place a bit above, a child, or below.
static void tree_message(struct stage *stage, uint32_t child, uint32_t bit,
			 const struct blocks *all, bool up)
{
	const uint32_t rest = stage_ranks(stage) - child;
	const struct blocks below = stage_some(stage, child, bit < rest ? bit : rest);
	const bool at_child = stage->place == child;
	const uint32_t round = stage->round;

	stage->round += (unsigned)__builtin_ctz(bit);
	(up == at_child ? stage_send : stage_recv)(stage, at_child ? child - bit : child,
						   all ? *all : below);
	stage->round = round;
}

// All the same blocks, in the first tree, or each the blocks of its subtree, in the second.
static void tree_pass(struct stage *stage, const struct blocks *all, bool up)
{
	const uint32_t place = stage->place;
	const uint32_t lowest = place & -place;
	const uint32_t own = all && place > 0 ? UINT32_C(1) << (31 - __builtin_clz(place)) : lowest;

	if (!up && place > 0)
		tree_message(stage, place, own, all, up);
	for (unsigned i = 0; i < 32; i++) {
		const uint32_t bit = UINT32_C(1) << (up == (all != NULL) ? 31 - i : i);

		if ((all ? bit > own : place == 0 || bit < own) &&
		    (uint64_t)place + bit < stage_ranks(stage))
			tree_message(stage, place + bit, bit, all, up);
	}
	if (up && place > 0)
		tree_message(stage, place, own, all, up);
	stage->round += 32;
}

void tree_spread(struct stage *stage, struct blocks blocks)
{
	tree_pass(stage, &blocks, false);
}

void tree_combine(struct stage *stage, struct blocks blocks)
{
	stage->carry = CARRY_ADD;
	tree_pass(stage, &blocks, true);
	stage->carry = CARRY_PUT;
}

void tree_scatter(struct stage *stage)
{
	tree_pass(stage, NULL, false);
}

void tree_gather(struct stage *stage)
{
	tree_pass(stage, NULL, true);
}
