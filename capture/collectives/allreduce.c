// SPDX-License-Identifier: GPL-3.0-or-later
// Allreduce: the combined bytes of all ranks go to all, by recursive doubling, by Rabenseifner's
// algorithm (halving, then doubling), around a ring in parts, or to rank 0 and from there, along
// trees or directly.
#include "collectives/collective.h"

static void allreduce_rabenseifner(struct stage *stage, uint32_t place)
{
	struct cube cube = cube_of(stage);

	(void)place;
	stage->carry = CARRY_ADD;
	cube_fold(stage, &cube, stage_all(stage));
	cube_halve(stage, &cube);
	cube_double(stage, &cube);
	cube_unfold(stage, &cube, stage_all(stage));
}

static void allreduce_ring(struct stage *stage, uint32_t place)
{
	(void)place;
	ring_combine(stage);
	ring_spread(stage);
}

static collective_way *const ways[] = {collective_doubling, allreduce_rabenseifner, allreduce_ring,
				       collective_binomial, collective_linear};

static enum tr_status allreduce_take(void *state, struct program_args *args,
				     struct program_shape *shape, struct tr_error *err)
{
	static const struct collective_keys keys = {.ways = ways, .combines = true};
	struct collective *collective = state;
	unsigned by;

	if (collective_take(collective, &keys, args, shape, &by, err) != TR_OK)
		return TR_ERROR;
	if (ways[by] == allreduce_rabenseifner)
		collective->parts = UINT32_C(1) << (31 - __builtin_clz(collective->ranks));
	else if (ways[by] != allreduce_ring)
		collective->parts = 1;
	return TR_OK;
}

const struct program_kind program_allreduce = {
	"allreduce",
	"by=recursive-doubling|rabenseifner|ring|binomial|linear,ranks=16,bytes=8KiB,combine=0s,"
	"repeats=1,compute=0s,message=0s,byte=0s",
	"the data of all ranks are combined and sent to all",
	sizeof(struct collective),
	allreduce_take,
	collective_rank};
