// SPDX-License-Identifier: GPL-3.0-or-later
// Scatter: the root has a block for each rank; along a binomial tree, or one after the other.
// Gather is the reverse.
#include "collectives/collective.h"

static void scatter_binomial(struct stage *stage, uint32_t place)
{
	(void)place;
	tree_scatter(stage);
}

static void scatter_linear(struct stage *stage, uint32_t place)
{
	(void)place;
	star_scatter(stage);
}

static void gather_binomial(struct stage *stage, uint32_t place)
{
	(void)place;
	tree_gather(stage);
}

static void gather_linear(struct stage *stage, uint32_t place)
{
	(void)place;
	star_gather(stage);
}

static enum tr_status take_scatter(void *state, struct program_args *args,
				   struct program_shape *shape, struct tr_error *err)
{
	static collective_way *const ways[] = {scatter_binomial, scatter_linear};
	static const struct collective_keys keys = {.ways = ways, .rooted = true, .per_rank = true};
	unsigned by;

	return collective_take(state, &keys, args, shape, &by, err);
}

static enum tr_status take_gather(void *state, struct program_args *args,
				  struct program_shape *shape, struct tr_error *err)
{
	static collective_way *const ways[] = {gather_binomial, gather_linear};
	static const struct collective_keys keys = {.ways = ways, .rooted = true, .per_rank = true};
	unsigned by;

	return collective_take(state, &keys, args, shape, &by, err);
}

const struct program_kind program_scatter = {
	"scatter",
	"by=binomial|linear,ranks=16,bytes=1KiB,root=0,repeats=1,compute=0s,message=0s,byte=0s",
	"the root sends a block to each rank",
	sizeof(struct collective),
	take_scatter,
	collective_rank};

const struct program_kind program_gather = {
	"gather",
	"by=binomial|linear,ranks=16,bytes=1KiB,root=0,repeats=1,compute=0s,message=0s,byte=0s",
	"each rank sends a block to the root",
	sizeof(struct collective),
	take_gather,
	collective_rank};
