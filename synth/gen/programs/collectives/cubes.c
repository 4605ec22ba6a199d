// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/programs/collectives/cubes.h"

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

static uint32_t cube_place(const struct cube *cube, uint32_t corner)
{
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

// The same exchange with the neighbour in each dimension, all parts every time: each corner has what all
// had, combined.
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
static uint32_t part_of(const struct stage *stage, const struct cube *cube, uint32_t corner)
{
	return stage->collective->parts == cube->corners ? corner : cube_place(cube, corner);
}

// The parts of count corners from the one on that has the corner's bits above them.
static struct blocks parts_of(const struct stage *stage, const struct cube *cube, uint32_t corner, uint32_t count)
{
	uint32_t base = corner & ~(count - 1);
	uint32_t first = part_of(stage, cube, base);

	return stage_some(stage, first, part_of(stage, cube, base + count) - first);
}

void cube_halve(struct stage *stage, const struct cube *cube)
{
	stage->carry = CARRY_ADD;
	for (uint32_t bit = cube->corners / 2; bit > 0; bit /= 2) {
		uint32_t other = cube->corner ^ bit;

		if (!cube->odd)
			stage_swap(stage, cube_place(cube, other), parts_of(stage, cube, other, bit), cube_place(cube, other),
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
			stage_swap(stage, cube_place(cube, other), parts_of(stage, cube, cube->corner, bit),
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
			stage_send(stage, cube_place(cube, other), parts_of(stage, cube, cube->corner, bit));
		else if (!given)
			stage_recv(stage, cube_place(cube, other), parts_of(stage, cube, other, bit));
		given = given || (cube->corner & bit);
		stage->round++;
	}
}
