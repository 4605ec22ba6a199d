// SPDX-License-Identifier: GPL-3.0-or-later
// Halo exchange: a grid of cells is cut among a grid of ranks of the same number of sides; in each
// step a rank sends the outermost cells on each face to the neighbour there, receives its
// neighbours', all at once, and then updates its cells. A face has as many bytes as the product of
// the other sides of a rank's cells, times the width of the halo and the bytes of a cell.
#include "gen/programs/algorithms.h"

#define CELLS_MAX (UINT64_C(1) << 36)

struct halo {
	struct program_grid ranks;
	struct program_grid cells; // of one rank
	uint64_t cell_bytes;
	uint32_t width;
	uint32_t steps;
	bool periodic;
	struct num_ratio update_s;
};

static uint64_t halo_face_bytes(const struct halo *halo, unsigned side)
{
	return grid_size(&halo->cells) / halo->cells.sides[side] * halo->width * halo->cell_bytes;
}

// For the watch, the rank's own cells are block 0, and the halos at the low and high end of a side
// are blocks 1 + 2 side and 2 + 2 side.
static void halo_tell(const struct sequence *sequence, const struct goal_op *op, uint32_t block)
{
	const struct blocks blocks = {.first = block, .count = 1};

	sequence_tell(sequence, op, &blocks, CARRY_PUT);
}

// The message sent on (to the neighbour at the high end) and the one received from the low end, or
// the reverse, have the same tag.
static void halo_exchange(const struct halo *halo, struct sequence *sequence, unsigned side,
			  bool on, uint32_t tag)
{
	uint32_t to = grid_neighbour(&halo->ranks, sequence->rank, side, on, halo->periodic);
	uint32_t from = grid_neighbour(&halo->ranks, sequence->rank, side, !on, halo->periodic);
	struct goal_op op = {.size = halo_face_bytes(halo, side), .tag = tag + 2 * side + on};

	if (to != GRID_NOBODY && to != sequence->rank) {
		sequence_branch(sequence);
		sequence_send(sequence, to, op.size, op.tag);
		op.kind = GOAL_SEND;
		op.peer = to;
		halo_tell(sequence, &op, 0);
	}
	if (from != GRID_NOBODY && from != sequence->rank) {
		sequence_branch(sequence);
		sequence_recv(sequence, from, op.size, op.tag);
		op.kind = GOAL_RECV;
		op.peer = from;
		halo_tell(sequence, &op, 1 + 2 * side + !on);
	}
}

static void halo_do_rank(const void *state, struct sequence *sequence, uint32_t rank)
{
	const struct halo *halo = state;

	(void)rank;
	for (uint32_t step = 0; step < halo->steps && !sequence_stopped(sequence); step++) {
		sequence_together(sequence);
		for (unsigned side = 0; side < halo->ranks.count; side++) {
			halo_exchange(halo, sequence, side, false, 2 * PROGRAM_SIDES_MAX * step);
			halo_exchange(halo, sequence, side, true, 2 * PROGRAM_SIDES_MAX * step);
		}
		sequence_meet(sequence);
		sequence_compute(sequence, grid_size(&halo->cells), halo->update_s);
	}
}

static enum tr_status halo_take(void *state, struct program_args *args, struct program_shape *shape,
				struct tr_error *err)
{
	struct halo *halo = state;

	halo->ranks = program_args_grid(args, "grid", GOAL_RANKS_MAX);
	halo->cells = program_args_grid(args, "cells", CELLS_MAX);
	halo->cell_bytes = program_args_bytes(args, "cell", 1, 65536);
	halo->width = (uint32_t)program_args_count(args, "width", 1, 64);
	halo->periodic = program_args_word(args, "periodic") == 1;
	halo->steps = (uint32_t)program_args_count(args, "steps", 1, 100000000);
	halo->update_s = program_args_quantity(args, "update", NUM_TIME);
	message_cost_take(&shape->cost, args);
	shape->ranks = (uint32_t)grid_size(&halo->ranks);
	if (!args->failed && halo->cells.count != halo->ranks.count)
		return tr_fail(err,
			       "program halo: grid and cells must have the same number of sides");
	return TR_OK;
}

const struct program_kind program_halo = {
	"halo",
	"grid=4x4,cells=64x64,cell=8B,width=1,periodic=no|yes,steps=10,update=1ns,message=0s,"
	"byte=0s",
	"halo exchange between neighbours on a grid",
	sizeof(struct halo),
	halo_take,
	halo_do_rank};
