// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps over a grid of cells from its corners, partitioned over a grid of ranks in two of three
// dimensions, as in the solution of transport equations (Koch, Baker, Alcouffe, 1992; Hoisie,
// Lubeck, Wasserman, IJHPCA 14, 2000): a rank computes some planes of its cells once it has the
// values on the upstream faces, and passes the values on the other two faces on. The wave starts
// from each corner of the grid of ranks twice, up and down the third dimension.
#include "gen/programs/algorithms.h"

#define CELLS_MAX (UINT64_C(1) << 36)

struct sweep {
	struct program_grid ranks;
	struct program_grid cells; // of one rank
	uint32_t planes;	   // of a block
	uint32_t angles;
	uint64_t value_bytes; // of a cell's face and an angle
	uint32_t sweeps;
	struct num_ratio update_s; // of a cell and an angle
};

static uint32_t blocks_of(const struct sweep *sweep)
{
	return (sweep->cells.sides[2] + sweep->planes - 1) / sweep->planes;
}

// The last block may have fewer.
static uint32_t planes_of(const struct sweep *sweep, uint32_t block)
{
	uint32_t rest = sweep->cells.sides[2] - block * sweep->planes;

	return rest < sweep->planes ? rest : sweep->planes;
}

// Bytes of the face at the end of a side.
static uint64_t sweep_face_bytes(const struct sweep *sweep, unsigned side, uint32_t block)
{
	return (uint64_t)sweep->cells.sides[1 - side] * planes_of(sweep, block) * sweep->angles *
	       sweep->value_bytes;
}

static void do_block(const struct sweep *sweep, struct sequence *sequence, unsigned corner,
		     uint32_t block, uint32_t tag)
{
	uint64_t updates = (uint64_t)sweep->cells.sides[0] * sweep->cells.sides[1] *
			   planes_of(sweep, block) * sweep->angles;

	for (unsigned side = 0; side < 2; side++) {
		bool on = corner >> side & 1;
		uint32_t from = grid_neighbour(&sweep->ranks, sequence->rank, side, on, false);

		if (from != GRID_NOBODY)
			sequence_recv(sequence, from, sweep_face_bytes(sweep, side, block),
				      tag + side);
	}
	sequence_compute(sequence, updates, sweep->update_s);
	for (unsigned side = 0; side < 2; side++) {
		bool on = corner >> side & 1;
		uint32_t to = grid_neighbour(&sweep->ranks, sequence->rank, side, !on, false);

		if (to != GRID_NOBODY)
			sequence_send(sequence, to, sweep_face_bytes(sweep, side, block),
				      tag + side);
	}
}

static void sweep_do_rank(const void *state, struct sequence *sequence, uint32_t rank)
{
	const struct sweep *sweep = state;

	(void)rank;
	for (uint32_t i = 0; i < sweep->sweeps; i++)
		for (uint32_t block = 0; block < blocks_of(sweep) && !sequence_stopped(sequence);
		     block++)
			do_block(sweep, sequence, i / 2 % 4, block,
				 2 * (i * blocks_of(sweep) + block));
}

static enum tr_status sweep_take(void *state, struct program_args *args,
				 struct program_shape *shape, struct tr_error *err)
{
	struct sweep *sweep = state;

	sweep->ranks = program_args_grid(args, "grid", GOAL_RANKS_MAX);
	sweep->cells = program_args_grid(args, "cells", CELLS_MAX);
	sweep->planes = (uint32_t)program_args_count(args, "planes", 1, UINT32_MAX / 2);
	sweep->angles = (uint32_t)program_args_count(args, "angles", 1, 65536);
	sweep->value_bytes = program_args_bytes(args, "value", 1, 1024);
	sweep->sweeps = (uint32_t)program_args_count(args, "sweeps", 1, 1000000);
	sweep->update_s = program_args_quantity(args, "update", NUM_TIME);
	message_cost_take(&shape->cost, args);
	shape->ranks = (uint32_t)grid_size(&sweep->ranks);
	if (args->failed)
		return TR_ERROR;
	if (sweep->ranks.count != 2 || sweep->cells.count != 3)
		return tr_fail(err, "program sweep: grid has two sides, cells have three");
	return TR_OK;
}

const struct program_kind program_sweep = {
	"sweep",
	"grid=4x4,cells=8x8x64,planes=8,angles=6,value=8B,sweeps=8,update=10ns,message=0s,byte=0s",
	"wavefronts over a grid from its corners",
	sizeof(struct sweep),
	sweep_take,
	sweep_do_rank};
