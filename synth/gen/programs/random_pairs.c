// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdio.h>

#include "gen/programs/algorithms.h"
#include "value/philox.h"
#include "value/random.h"

#define ROUNDS 8u

struct permutation permutation_make(uint64_t seed, uint32_t n)
{
	struct permutation permutation = {.n = n, .side = (uint32_t)ceil(sqrt(n))};
	struct tr_random random;

	tr_random_open(&random, seed, "permutation");
	permutation.key[0] = random.key[0];
	permutation.key[1] = random.key[1];
	return permutation;
}

// A pseudo-random number below side, a function of half and round.
static uint32_t random_pairs_mix(const struct permutation *permutation, uint32_t number,
				 uint32_t half, uint32_t round)
{
	const uint32_t counter[4] = {half, round, number, 0};
	uint32_t out[4];

	philox_block(counter, permutation->key, out);
	return (uint32_t)((((uint64_t)out[1] << 32 | out[0]) *
			   (unsigned __int128)permutation->side) >>
			  64);
}

static uint32_t random_pairs_step(const struct permutation *permutation, uint32_t number,
				  uint32_t i)
{
	uint32_t side = permutation->side;
	uint32_t left = i / side;
	uint32_t right = i % side;

	for (uint32_t round = 0; round < ROUNDS; round++) {
		uint32_t next = (left + random_pairs_mix(permutation, number, right, round)) % side;

		left = right;
		right = next;
	}
	return left * side + right;
}

static uint32_t step_back(const struct permutation *permutation, uint32_t number, uint32_t i)
{
	uint32_t side = permutation->side;
	uint32_t left = i / side;
	uint32_t right = i % side;

	for (uint32_t round = ROUNDS; round-- > 0;) {
		uint32_t before = (right + side -
				   random_pairs_mix(permutation, number, left, round)) %
				  side;

		right = left;
		left = before;
	}
	return left * side + right;
}

uint32_t permutation_of(const struct permutation *permutation, uint32_t number, uint32_t i)
{
	do
		i = random_pairs_step(permutation, number, i);
	while (i >= permutation->n);
	return i;
}

uint32_t permutation_back(const struct permutation *permutation, uint32_t number, uint32_t i)
{
	do
		i = step_back(permutation, number, i);
	while (i >= permutation->n);
	return i;
}

// ---- Random traffic in rounds: in each the ranks send along a random permutation, so that a rank
// has one message to send and one to receive; a fixed point sends nothing. Before each message a
// rank computes for an exponential time.

#define ROUNDS_MAX 1000000u

struct random_pairs {
	uint64_t bytes;
	uint64_t seed;
	uint32_t ranks;
	uint32_t rounds;
	struct num_ratio compute_s; // mean
	struct permutation permutation;
};

static void random_pairs_compute(const struct random_pairs *pairs, struct sequence *sequence,
				 struct tr_random *random)
{
	double ns = -log(tr_random_unit(random)) * num_value(pairs->compute_s) * 1e9;

	if (ns >= (double)INT64_MAX / 4)
		sequence->overflow = true;
	else
		sequence_compute(sequence, (uint64_t)llround(ns),
				 (struct num_ratio){1, 1000000000});
}

static void random_pairs_do_rank(const void *state, struct sequence *sequence, uint32_t rank)
{
	const struct random_pairs *pairs = state;
	struct tr_random random;
	char name[32];

	snprintf(name, sizeof(name), "rank%u/compute", rank);
	tr_random_open(&random, pairs->seed, name);
	for (uint32_t round = 0; round < pairs->rounds && !sequence_stopped(sequence); round++) {
		const struct sequence_swap swap = {
			.to = permutation_of(&pairs->permutation, round, rank),
			.to_bytes = pairs->bytes,
			.from = permutation_back(&pairs->permutation, round, rank),
			.from_bytes = pairs->bytes,
			.tag = round};

		if (pairs->compute_s.num > 0)
			random_pairs_compute(pairs, sequence, &random);
		if (swap.to != rank)
			sequence_swap(sequence, &swap);
	}
}

static enum tr_status random_pairs_take(void *state, struct program_args *args,
					struct program_shape *shape, struct tr_error *err)
{
	struct random_pairs *pairs = state;

	(void)err;
	pairs->ranks = (uint32_t)program_args_count(args, "ranks", 1, GOAL_RANKS_MAX);
	pairs->rounds = (uint32_t)program_args_count(args, "rounds", 1, ROUNDS_MAX);
	pairs->bytes = program_args_bytes(args, "bytes", 0, UINT64_C(1) << 40);
	pairs->seed = program_args_count(args, "seed", 0, UINT64_MAX);
	pairs->compute_s = program_args_quantity(args, "compute", NUM_TIME);
	message_cost_take(&shape->cost, args);
	shape->ranks = pairs->ranks;
	pairs->permutation = permutation_make(pairs->seed, pairs->ranks);
	return TR_OK;
}

const struct program_kind program_random = {
	"random",
	"ranks=16,rounds=10,bytes=1KiB,seed=1,compute=0s,message=0s,byte=0s",
	"each rank sends to another, in a new random permutation each round",
	sizeof(struct random_pairs),
	random_pairs_take,
	random_pairs_do_rank};
