// SPDX-License-Identifier: GPL-3.0-or-later
// Multicast by hosts (the systems of Verstoep, Langendoen and Bal 1996 and of Gerla, Palnati and
// Walton 1996 described by Yates, chapter 2): a host forwards what it receives to its children in a
// tree over all ranks, the Hamiltonian path with a fan-out of 1, a binary tree with 2, and one
// sender with ranks - 1. The children of place i are places f i + 1 to f i + f; rank r is at place
// r - root, modulo the ranks. Roots take turns in the order of their ranks, so no rank waits in a
// cycle.
#include "gen/programs/algorithms.h"

#define BYTES_MAX (UINT64_C(1) << 40)

struct multicast {
	uint64_t bytes;
	uint32_t ranks;
	uint32_t roots;
	uint32_t fanout;
};

static uint32_t multicast_rank_at(const struct multicast *multicast, uint32_t root, uint64_t place)
{
	return (uint32_t)((root + place) % multicast->ranks);
}

static void multicast_pass_on(const struct multicast *multicast, struct sequence *sequence,
			      uint32_t root, uint32_t rank)
{
	uint64_t place = (rank + multicast->ranks - root) % multicast->ranks;
	uint64_t below = place * multicast->fanout + 1;

	if (place > 0)
		sequence_recv(sequence,
			      multicast_rank_at(multicast, root, (place - 1) / multicast->fanout),
			      multicast->bytes, root);
	for (uint64_t i = below; i < below + multicast->fanout && i < multicast->ranks; i++)
		sequence_send(sequence, multicast_rank_at(multicast, root, i), multicast->bytes,
			      root);
}

static enum tr_status multicast_take(void *state, struct program_args *args,
				     struct program_shape *shape, struct tr_error *err)
{
	struct multicast *multicast = state;

	multicast->ranks = (uint32_t)program_args_count(args, "ranks", 2, GOAL_RANKS_MAX);
	multicast->fanout = (uint32_t)program_args_count(args, "fan-out", 1, GOAL_RANKS_MAX);
	multicast->roots = (uint32_t)program_args_count(args, "roots", 1, GOAL_RANKS_MAX);
	multicast->bytes = program_args_bytes(args, "bytes", 1, BYTES_MAX);
	message_cost_take(&shape->cost, args);
	shape->ranks = multicast->ranks;
	if (!args->failed && multicast->roots > multicast->ranks)
		return tr_fail(err, "program multicast: %u roots exceed %u ranks", multicast->roots,
			       multicast->ranks);
	return TR_OK;
}

static void multicast_do_rank(const void *state, struct sequence *sequence, uint32_t rank)
{
	const struct multicast *multicast = state;

	for (uint32_t root = 0; root < multicast->roots; root++)
		multicast_pass_on(multicast, sequence, root, rank);
}

const struct program_kind program_multicast = {
	"multicast",
	"ranks=8,fan-out=2,roots=1,bytes=8KiB,message=1us,byte=0s",
	"a message to all, forwarded along a tree (fan-out 1: a path)",
	sizeof(struct multicast),
	multicast_take,
	multicast_do_rank};
