// SPDX-License-Identifier: GPL-3.0-or-later
// Broadcast: the root's bytes go to all, along a binomial tree, from the root itself, from rank to
// rank in a chain, along a double binary tree (each of these in segments, for pipelining), or by
// scatter and allgather (van de Geijn; MPICH for long messages).
#include "collectives/collective.h"

static bool broadcast_more(const struct stage *stage, uint32_t part)
{
	return part < stage->collective->parts && !sequence_stopped(stage->sequence);
}

static void broadcast_binomial(struct stage *stage, uint32_t place)
{
	(void)place;
	for (uint32_t part = 0; broadcast_more(stage, part); part++)
		tree_spread(stage, stage_some(stage, part, 1));
}

static void broadcast_linear(struct stage *stage, uint32_t place)
{
	(void)place;
	for (uint32_t part = 0; broadcast_more(stage, part); part++)
		star_spread(stage, stage_some(stage, part, 1));
}

static void broadcast_ring(struct stage *stage, uint32_t place)
{
	for (uint32_t part = 0; broadcast_more(stage, part); part++, stage->round++) {
		if (place > 0)
			stage_recv(stage, place - 1, stage_some(stage, part, 1));
		if (place + 1 < stage_ranks(stage))
			stage_send(stage, place + 1, stage_some(stage, part, 1));
	}
}

static void scatter_ring(struct stage *stage, uint32_t place)
{
	const struct ring ring = ring_of_all(stage);

	(void)place;
	tree_scatter(stage);
	ring_spread(stage, &ring);
}

static void scatter_doubling(struct stage *stage, uint32_t place)
{
	struct cube cube = cube_of(stage);

	tree_scatter(stage);
	cube_fold(stage, &cube, stage_some(stage, place | 1, 1));
	cube_double(stage, &cube);
	cube_unfold(stage, &cube, stage_all(stage));
}

static void broadcast_double_tree(struct stage *stage, uint32_t place)
{
	(void)place;
	double_tree_spread(stage);
}

static collective_way *const ways[] = {broadcast_binomial, broadcast_linear, broadcast_ring,
				       scatter_ring,	   scatter_doubling, broadcast_double_tree};

static enum tr_status broadcast_take(void *state, struct program_args *args,
				     struct program_shape *shape, struct tr_error *err)
{
	static const struct collective_keys keys = {.ways = ways, .rooted = true};
	struct collective *collective = state;
	bool scatters;
	unsigned by;

	if (collective_take(collective, &keys, args, shape, &by, err) != TR_OK)
		return TR_ERROR;
	scatters = ways[by] == scatter_ring || ways[by] == scatter_doubling;
	if (collective_take_segments(collective, "binomial, linear, ring or double-tree", !scatters,
				     ways[by] == broadcast_double_tree, args, err) != TR_OK)
		return TR_ERROR;
	if (scatters)
		collective->parts = collective->ranks;
	return TR_OK;
}

const struct program_kind program_broadcast = {"broadcast",
					       "by=binomial|linear|ring|scatter-ring|scatter-"
					       "doubling|double-tree,ranks=16,bytes=8KiB,root=0,"
					       "repeats=1,compute=0s,message=0s,byte=0s,segments=1",
					       "the data of the root are sent to all",
					       sizeof(struct collective),
					       broadcast_take,
					       collective_rank};
