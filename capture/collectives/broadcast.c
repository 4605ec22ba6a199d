// SPDX-License-Identifier: GPL-3.0-or-later
// Broadcast: the root's bytes go to all, along a binomial tree, from the root itself, from rank to
// rank in a chain (each of these in segments, for pipelining), or by scatter and allgather (van de
// Geijn; MPICH for long messages).
#include "collectives/collective.h"

#define SEGMENTS_MAX 65536u

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
	(void)place;
	tree_scatter(stage);
	ring_spread(stage);
}

static void scatter_doubling(struct stage *stage, uint32_t place)
{
	struct cube cube = cube_of(stage);

	tree_scatter(stage);
	cube_fold(stage, &cube, stage_some(stage, place | 1, 1));
	cube_double(stage, &cube);
	cube_unfold(stage, &cube, stage_all(stage));
}

static collective_way *const ways[] = {broadcast_binomial, broadcast_linear, broadcast_ring,
				       scatter_ring, scatter_doubling};
#define WAYS_IN_SEGMENTS 3

static enum tr_status broadcast_take(void *state, struct program_args *args,
				     struct program_shape *shape, struct tr_error *err)
{
	static const struct collective_keys keys = {.ways = ways, .rooted = true};
	struct collective *collective = state;
	uint32_t segments;
	unsigned by;

	if (collective_take(collective, &keys, args, shape, &by, err) != TR_OK)
		return TR_ERROR;
	segments = (uint32_t)program_args_count(args, "segments", 1, SEGMENTS_MAX);
	if (by < WAYS_IN_SEGMENTS)
		collective->parts = segments;
	else if (segments > 1)
		return tr_fail(err, "program broadcast: segments need by=binomial, linear or ring");
	return TR_OK;
}

const struct program_kind program_broadcast = {
	"broadcast",
	"by=binomial|linear|ring|scatter-ring|scatter-doubling,ranks=16,bytes=8KiB,root=0,"
	"repeats=1,compute=0s,message=0s,byte=0s,segments=1",
	"the data of the root are sent to all",
	sizeof(struct collective),
	broadcast_take,
	collective_rank};
