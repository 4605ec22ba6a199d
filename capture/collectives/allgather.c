// SPDX-License-Identifier: GPL-3.0-or-later
// Allgather: a block of each rank goes to all, around a ring, by recursive doubling, by Bruck's
// algorithm (Bruck, Ho, Kipnis, Upfal, Weathersby, IEEE TPDS 8, 1997), or directly, all at once.
#include "collectives/collective.h"

static void allgather_ring(struct stage *stage, uint32_t place)
{
	const struct ring ring = ring_of_all(stage);

	(void)place;
	ring_spread(stage, &ring);
}

static void doubling(struct stage *stage, uint32_t place)
{
	struct cube cube = cube_of(stage);

	cube_fold(stage, &cube, stage_some(stage, place | 1, 1));
	cube_double(stage, &cube);
	cube_unfold(stage, &cube, stage_all(stage));
}

// With 2^k blocks from its own on, a rank receives as many from the rank 2^k ahead.
static void allgather_bruck(struct stage *stage, uint32_t place)
{
	uint32_t ranks = stage_ranks(stage);

	for (uint32_t have = 1; have < ranks; stage->round++) {
		uint32_t count = have < ranks - have ? have : ranks - have;

		stage_swap(stage, stage_behind(stage, have), stage_some(stage, place, count),
			   stage_ahead(stage, have),
			   stage_some(stage, (uint64_t)place + have, count));
		have += count;
	}
}

static void allgather_linear(struct stage *stage, uint32_t place)
{
	stage_together(stage);
	for (uint32_t step = 1; step < stage_ranks(stage); step++) {
		stage_branch(stage);
		stage_send(stage, stage_ahead(stage, step), stage_some(stage, place, 1));
		stage_branch(stage);
		stage_recv(stage, stage_behind(stage, step),
			   stage_some(stage, stage_behind(stage, step), 1));
	}
	stage_meet(stage);
}

static enum tr_status allgather_take(void *state, struct program_args *args,
				     struct program_shape *shape, struct tr_error *err)
{
	static collective_way *const ways[] = {allgather_ring, doubling, allgather_bruck,
					       allgather_linear};
	static const struct collective_keys keys = {.ways = ways, .per_rank = true};
	unsigned by;

	return collective_take(state, &keys, args, shape, &by, err);
}

const struct program_kind program_allgather = {
	"allgather",
	"by=ring|recursive-doubling|bruck|linear,ranks=16,bytes=1KiB,repeats=1,compute=0s,"
	"message=0s,byte=0s",
	"the blocks of all ranks are sent to all",
	sizeof(struct collective),
	allgather_take,
	collective_rank};
