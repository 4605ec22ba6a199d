// SPDX-License-Identifier: GPL-3.0-or-later
// Reduce: the combined bytes of all ranks go to the root, along a binomial tree, all directly, by
// Rabenseifner's algorithm, in which each rank combines a part and the parts are gathered, or along
// a double binary tree in segments.
#include "collectives/collective.h"

static void reduce_binomial(struct stage *stage, uint32_t place)
{
	(void)place;
	tree_combine(stage, stage_all(stage));
}

static void reduce_linear(struct stage *stage, uint32_t place)
{
	(void)place;
	star_combine(stage, stage_all(stage));
}

static void reduce_rabenseifner(struct stage *stage, uint32_t place)
{
	struct cube cube = cube_of(stage);

	(void)place;
	stage->carry = CARRY_ADD;
	cube_fold(stage, &cube, stage_all(stage));
	cube_halve(stage, &cube);
	cube_collect(stage, &cube);
}

static void reduce_double_tree(struct stage *stage, uint32_t place)
{
	(void)place;
	double_tree_combine(stage);
}

static collective_way *const ways[] = {reduce_binomial, reduce_linear, reduce_rabenseifner,
				       reduce_double_tree};

static enum tr_status reduce_take(void *state, struct program_args *args,
				  struct program_shape *shape, struct tr_error *err)
{
	static const struct collective_keys keys = {.ways = ways, .rooted = true, .combines = true};
	struct collective *collective = state;
	bool twice;
	unsigned by;

	if (collective_take(collective, &keys, args, shape, &by, err) != TR_OK)
		return TR_ERROR;
	twice = ways[by] == reduce_double_tree;
	if (collective_take_segments(collective, "double-tree", twice, twice, args, err) != TR_OK)
		return TR_ERROR;
	if (ways[by] == reduce_rabenseifner)
		collective->parts = UINT32_C(1) << (31 - __builtin_clz(collective->ranks));
	return TR_OK;
}

const struct program_kind program_reduce = {
	"reduce",
	"by=binomial|linear|rabenseifner|double-tree,ranks=16,bytes=8KiB,root=0,combine=0s,"
	"repeats=1,compute=0s,message=0s,byte=0s,segments=1",
	"the data of all ranks are combined at the root",
	sizeof(struct collective),
	reduce_take,
	collective_rank};
