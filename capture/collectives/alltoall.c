// SPDX-License-Identifier: GPL-3.0-or-later
// All-to-all: each rank has a block for every other; one partner in each round, all at once, or by
// Bruck's algorithm (Bruck, Ho, Kipnis, Upfal, Weathersby, IEEE TPDS 8, 1997), where a block for
// the rank j ahead is in slot j, and moves in the round of each bit of j.
#include "collectives/collective.h"

static void change(struct stage *stage, uint32_t to, uint32_t from)
{
	stage_swap(stage, to, stage_some(stage, to, 1), from, stage_some(stage, from, 1));
	stage->round++;
}

// Pairs for powers of two, otherwise a ring with growing steps.
static void alltoall_pairwise(struct stage *stage, uint32_t place)
{
	uint32_t ranks = stage_ranks(stage);
	bool pairs = (ranks & (ranks - 1)) == 0;

	stage->carry = CARRY_APART;
	for (uint32_t step = 1; step < ranks; step++)
		change(stage, pairs ? place ^ step : stage_ahead(stage, step),
		       pairs ? place ^ step : stage_behind(stage, step));
}

static void alltoall_linear(struct stage *stage, uint32_t place)
{
	(void)place;
	stage->carry = CARRY_APART;
	stage_together(stage);
	for (uint32_t step = 1; step < stage_ranks(stage); step++) {
		uint32_t to = stage_ahead(stage, step);
		uint32_t from = stage_behind(stage, step);

		stage_branch(stage);
		stage_send(stage, to, stage_some(stage, to, 1));
		stage_branch(stage);
		stage_recv(stage, from, stage_some(stage, from, 1));
	}
	stage_meet(stage);
}

static void alltoall_bruck(struct stage *stage, uint32_t place)
{
	(void)place;
	for (uint32_t bit = 1; bit < stage_ranks(stage); bit *= 2, stage->round++) {
		const struct blocks blocks = {.bit = bit};

		stage_swap(stage, stage_ahead(stage, bit), blocks, stage_behind(stage, bit),
			   blocks);
	}
}

static enum tr_status alltoall_take(void *state, struct program_args *args,
				    struct program_shape *shape, struct tr_error *err)
{
	static collective_way *const ways[] = {alltoall_pairwise, alltoall_linear, alltoall_bruck};
	static const struct collective_keys keys = {.ways = ways, .per_rank = true};
	unsigned by;

	return collective_take(state, &keys, args, shape, &by, err);
}

const struct program_kind program_alltoall = {
	"alltoall",
	"by=pairwise|linear|bruck,ranks=16,bytes=1KiB,repeats=1,compute=0s,message=0s,byte=0s",
	"each rank sends a block to each other",
	sizeof(struct collective),
	alltoall_take,
	collective_rank};
