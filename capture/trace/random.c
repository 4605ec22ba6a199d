// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/random.h"

#include <string.h>

#include <xxhash.h>

#define ROUNDS 10
#define MULTIPLIER_0 UINT32_C(0xD2511F53)
#define MULTIPLIER_1 UINT32_C(0xCD9E8D57)
#define WEYL_0 UINT32_C(0x9E3779B9) // golden ratio
#define WEYL_1 UINT32_C(0xBB67AE85) // sqrt(3) - 1

void tr_random_block(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
	uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]};
	uint32_t k[2] = {key[0], key[1]};

	for (int round = 0; round < ROUNDS; round++) {
		uint64_t product_0 = (uint64_t)MULTIPLIER_0 * c[0];
		uint64_t product_1 = (uint64_t)MULTIPLIER_1 * c[2];

		c[0] = (uint32_t)(product_1 >> 32) ^ c[1] ^ k[0];
		c[1] = (uint32_t)product_1;
		c[2] = (uint32_t)(product_0 >> 32) ^ c[3] ^ k[1];
		c[3] = (uint32_t)product_0;
		k[0] += WEYL_0;
		k[1] += WEYL_1;
	}
	memcpy(out, c, sizeof c);
}

void tr_random_open(struct tr_random *random, uint64_t seed, const char *name)
{
	uint64_t key = XXH3_64bits_withSeed(name, strlen(name), seed);

	*random = (struct tr_random){.key = {(uint32_t)key, (uint32_t)(key >> 32)}};
}

uint32_t tr_random_u32(struct tr_random *random)
{
	if (!random->left) {
		const uint32_t counter[4] = {(uint32_t)random->counter,
					     (uint32_t)(random->counter >> 32), 0, 0};

		tr_random_block(counter, random->key, random->pool);
		random->counter++;
		random->left = 4;
	}
	return random->pool[4 - random->left--];
}

uint64_t tr_random_u64(struct tr_random *random)
{
	uint64_t low = tr_random_u32(random);

	return low | (uint64_t)tr_random_u32(random) << 32;
}

// Lemire: Fast random integer generation in an interval, ACM TOMACS 29 (2019), algorithm 5.
uint64_t tr_random_below(struct tr_random *random, uint64_t n)
{
	unsigned __int128 product = (unsigned __int128)tr_random_u64(random) * n;

	if ((uint64_t)product < n) { // else it is at least 2^64 mod n, without the division
		uint64_t uneven = -n % n; // 2^64 mod n

		while ((uint64_t)product < uneven)
			product = (unsigned __int128)tr_random_u64(random) * n;
	}
	return (uint64_t)(product >> 64);
}

double tr_random_unit(struct tr_random *random)
{
	return ((double)(tr_random_u64(random) >> 12) + 0.5) * 0x1p-52;
}
