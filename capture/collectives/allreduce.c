// SPDX-License-Identifier: GPL-3.0-or-later
// Allreduce: the combined bytes of all ranks go to all, by recursive doubling, by Rabenseifner's
// algorithm (halving, then doubling; the near form exchanges with neighbours first, as MPICH and
// Open MPI do), around a ring in parts, to rank 0 and from there, along trees
// or directly, along a double binary tree in segments, or on two levels: around a ring inside each
// node, around rings between nodes, each of the ranks with one number in their nodes, and inside
// again.
#include "collectives/collective.h"

static void allreduce_halve_and_double(struct stage *stage, struct cube cube)
{
	stage->carry = CARRY_ADD;
	cube_fold(stage, &cube, stage_all(stage));
	cube_halve(stage, &cube);
	cube_double(stage, &cube);
	cube_unfold(stage, &cube, stage_all(stage));
}

static void allreduce_rabenseifner(struct stage *stage, uint32_t place)
{
	(void)place;
	allreduce_halve_and_double(stage, cube_of(stage));
}

static void allreduce_rabenseifner_near(struct stage *stage, uint32_t place)
{
	(void)place;
	allreduce_halve_and_double(stage, cube_near(stage));
}

static void allreduce_ring(struct stage *stage, uint32_t place)
{
	const struct ring ring = ring_of_all(stage);

	(void)place;
	ring_combine(stage, &ring);
	ring_spread(stage, &ring);
}

static void allreduce_double_tree(struct stage *stage, uint32_t place)
{
	(void)place;
	double_tree_combine_all(stage);
}

static void allreduce_hierarchical(struct stage *stage, uint32_t place)
{
	const uint32_t node = stage->collective->node;
	const uint32_t nodes = stage_ranks(stage) / node;
	const uint32_t local = place % node;
	const struct ring inside = {
		.first = place - local, .stride = 1, .places = node, .own = local, .width = nodes};
	const struct ring between = {.first = local,
				     .stride = node,
				     .places = nodes,
				     .own = place / node,
				     .part = local * nodes,
				     .width = 1};

	ring_combine(stage, &inside);
	ring_combine(stage, &between);
	ring_spread(stage, &between);
	ring_spread(stage, &inside);
}

static collective_way *const ways[] = {collective_doubling,    allreduce_rabenseifner,
				       allreduce_ring,	       collective_binomial,
				       collective_linear,      allreduce_double_tree,
				       allreduce_hierarchical, allreduce_rabenseifner_near};

static enum tr_status allreduce_take_node(struct collective *collective, struct program_args *args,
					  struct tr_error *err)
{
	collective->node = (uint32_t)program_args_count(args, "node", 1, GOAL_RANKS_MAX);
	if (args->failed)
		return TR_ERROR;
	if (collective->node > 1 && collective->way != allreduce_hierarchical)
		return tr_fail(err, "program allreduce: node needs by=hierarchical");
	if (collective->ranks % collective->node > 0)
		return tr_fail(err, "program allreduce: %u ranks are not whole nodes of %u",
			       collective->ranks, collective->node);
	return TR_OK;
}

static enum tr_status allreduce_take(void *state, struct program_args *args,
				     struct program_shape *shape, struct tr_error *err)
{
	static const struct collective_keys keys = {.ways = ways, .combines = true};
	struct collective *collective = state;
	bool twice;
	unsigned by;

	if (collective_take(collective, &keys, args, shape, &by, err) != TR_OK)
		return TR_ERROR;
	twice = ways[by] == allreduce_double_tree;
	if (collective_take_segments(collective, "double-tree", twice, twice, args, err) != TR_OK ||
	    allreduce_take_node(collective, args, err) != TR_OK)
		return TR_ERROR;
	if (ways[by] == allreduce_rabenseifner || ways[by] == allreduce_rabenseifner_near)
		collective->parts = UINT32_C(1) << (31 - __builtin_clz(collective->ranks));
	else if (ways[by] == allreduce_ring || ways[by] == allreduce_hierarchical)
		collective->parts = collective->ranks;
	return TR_OK;
}

const struct program_kind program_allreduce = {
	"allreduce",
	"by=recursive-doubling|rabenseifner|ring|binomial|linear|double-tree|hierarchical|"
	"rabenseifner-near,ranks=16,bytes=8KiB,combine=0s,repeats=1,compute=0s,message=0s,byte=0s,"
	"segments=1,node=1",
	"the data of all ranks are combined and sent to all",
	sizeof(struct collective),
	allreduce_take,
	collective_rank};
