// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/programs/permutation.h"

#include <math.h>

#include "trace/philox.h"
#include "trace/random.h"

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

// A number below side, the same for the same half and round.
static uint32_t mix(const struct permutation *permutation, uint32_t number, uint32_t half, uint32_t round)
{
	const uint32_t counter[4] = {half, round, number, 0};
	uint32_t out[4];

	philox_block(counter, permutation->key, out);
	return (uint32_t)((((uint64_t)out[1] << 32 | out[0]) * (unsigned __int128)permutation->side) >> 64);
}

static uint32_t step(const struct permutation *permutation, uint32_t number, uint32_t i)
{
	uint32_t side = permutation->side;
	uint32_t left = i / side;
	uint32_t right = i % side;

	for (uint32_t round = 0; round < ROUNDS; round++) {
		uint32_t next = (left + mix(permutation, number, right, round)) % side;

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
		uint32_t before = (right + side - mix(permutation, number, left, round)) % side;

		right = left;
		left = before;
	}
	return left * side + right;
}

uint32_t permutation_of(const struct permutation *permutation, uint32_t number, uint32_t i)
{
	do
		i = step(permutation, number, i);
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
