// SPDX-License-Identifier: GPL-3.0-or-later
// Barrier: no rank continues before all have arrived; by dissemination (Hensgen, Finkel, Manber,
// 1988), recursive doubling, along binomial trees, or via rank 0.
#include "collectives/collective.h"

static void dissemination(struct stage *stage, uint32_t place)
{
	(void)place;
	stage->carry = CARRY_ADD;
	for (uint32_t step = 1; step < stage_ranks(stage); step *= 2, stage->round++)
		stage_swap(stage, stage_ahead(stage, step), stage_all(stage),
			   stage_behind(stage, step), stage_all(stage));
}

static enum tr_status barrier_take(void *state, struct program_args *args,
				   struct program_shape *shape, struct tr_error *err)
{
	static collective_way *const ways[] = {dissemination, collective_doubling,
					       collective_binomial, collective_linear};
	static const struct collective_keys keys = {.ways = ways};
	struct collective *collective = state;
	unsigned by;

	if (collective_take(collective, &keys, args, shape, &by, err) != TR_OK)
		return TR_ERROR;
	collective->parts = 1;
	return TR_OK;
}

const struct program_kind program_barrier = {
	"barrier",
	"by=dissemination|recursive-doubling|binomial|linear,ranks=16,bytes=0B,repeats=1,"
	"compute=0s,message=0s,byte=0s",
	"no rank continues before all have arrived",
	sizeof(struct collective),
	barrier_take,
	collective_rank};
