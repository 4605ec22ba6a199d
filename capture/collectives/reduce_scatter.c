// SPDX-License-Identifier: GPL-3.0-or-later
// Reduce-scatter: each rank has one block for each rank; the combination of all blocks r goes to
// rank r, by recursive halving, one partner in each round, or around a ring.
#include "collectives/collective.h"

// Odd ranks get their block back from the even ones before them.
static void halving(struct stage *stage, uint32_t place)
{
	struct cube cube = cube_of(stage);

	stage->carry = CARRY_ADD;
	cube_fold(stage, &cube, stage_all(stage));
	cube_halve(stage, &cube);
	cube_unfold(stage, &cube, stage_some(stage, place | 1, 1));
}

static void reduce_scatter_pairwise(struct stage *stage, uint32_t place)
{
	stage->carry = CARRY_ADD;
	for (uint32_t step = 1; step < stage_ranks(stage); step++, stage->round++) {
		uint32_t to = stage_ahead(stage, step);

		stage_swap(stage, to, stage_some(stage, to, 1), stage_behind(stage, step),
			   stage_some(stage, place, 1));
	}
}

static void reduce_scatter_ring(struct stage *stage, uint32_t place)
{
	const struct ring ring = ring_of_all(stage);

	(void)place;
	ring_combine(stage, &ring);
}

static enum tr_status reduce_scatter_take(void *state, struct program_args *args,
					  struct program_shape *shape, struct tr_error *err)
{
	static collective_way *const ways[] = {halving, reduce_scatter_pairwise,
					       reduce_scatter_ring};
	static const struct collective_keys keys = {.ways = ways, .combines = true};
	unsigned by;

	return collective_take(state, &keys, args, shape, &by, err);
}

const struct program_kind program_reduce_scatter = {
	"reduce-scatter",
	"by=recursive-halving|pairwise|ring,ranks=16,bytes=8KiB,combine=0s,repeats=1,compute=0s,"
	"message=0s,byte=0s",
	"the data of all ranks are combined and each gets a block",
	sizeof(struct collective),
	reduce_scatter_take,
	collective_rank};
