// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/random.h"

#include <string.h>

#include <xxhash.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

#ifdef __SSE2__

// One word of two blocks: each in the lower half of its 64 bits, with anything in the upper half.
struct two_blocks {
	__m128i c[4];
};

static struct two_blocks two_round(struct two_blocks in, __m128i k0, __m128i k1)
{
	const __m128i product_0 = _mm_mul_epu32(in.c[0], _mm_set1_epi64x(MULTIPLIER_0));
	const __m128i product_1 = _mm_mul_epu32(in.c[2], _mm_set1_epi64x(MULTIPLIER_1));

	return (struct two_blocks){{
		_mm_xor_si128(_mm_xor_si128(_mm_srli_epi64(product_1, 32), in.c[1]), k0),
		product_1,
		_mm_xor_si128(_mm_xor_si128(_mm_srli_epi64(product_0, 32), in.c[3]), k1),
		product_0,
	}};
}

static struct two_blocks two_start(uint64_t counter)
{
	const __m128i both = _mm_set_epi64x((int64_t)(counter + 1), (int64_t)counter);

	return (struct two_blocks){{both, _mm_srli_epi64(both, 32), _mm_setzero_si128(), _mm_setzero_si128()}};
}

static void two_store(struct two_blocks in, uint32_t out[8])
{
	const __m128i low = _mm_set1_epi64x(UINT32_MAX);
	const __m128i front = _mm_or_si128(_mm_and_si128(in.c[0], low), _mm_slli_epi64(in.c[1], 32));
	const __m128i back = _mm_or_si128(_mm_and_si128(in.c[2], low), _mm_slli_epi64(in.c[3], 32));

	_mm_storeu_si128((__m128i *)(void *)out, _mm_unpacklo_epi64(front, back));
	_mm_storeu_si128((__m128i *)(void *)(out + 4), _mm_unpackhi_epi64(front, back));
}

void tr_random_blocks(uint64_t first, const uint32_t key[2], uint32_t out[TR_RANDOM_WORDS])
{
	struct two_blocks a = two_start(first), b = two_start(first + 2);
	uint32_t k[2] = {key[0], key[1]};

	for (int round = 0; round < ROUNDS; round++) {
		const __m128i k0 = _mm_set1_epi64x(k[0]), k1 = _mm_set1_epi64x(k[1]);

		a = two_round(a, k0, k1);
		b = two_round(b, k0, k1);
		k[0] += WEYL_0;
		k[1] += WEYL_1;
	}
	two_store(a, out);
	two_store(b, out + 8);
}

#else

void tr_random_blocks(uint64_t first, const uint32_t key[2], uint32_t out[TR_RANDOM_WORDS])
{
	for (uint64_t i = 0; i < TR_RANDOM_WORDS / 4; i++) {
		const uint32_t counter[4] = {(uint32_t)(first + i), (uint32_t)((first + i) >> 32), 0, 0};

		tr_random_block(counter, key, out + 4 * i);
	}
}

#endif

static void fill_pool(struct tr_random *random)
{
	tr_random_blocks(random->counter, random->key, random->pool);
	random->counter += TR_RANDOM_WORDS / 4;
	random->left = TR_RANDOM_WORDS;
}

void tr_random_open(struct tr_random *random, uint64_t seed, const char *name)
{
	uint64_t key = XXH3_64bits_withSeed(name, strlen(name), seed);

	*random = (struct tr_random){.key = {(uint32_t)key, (uint32_t)(key >> 32)}};
}

uint32_t tr_random_u32(struct tr_random *random)
{
	if (!random->left)
		fill_pool(random);
	return random->pool[TR_RANDOM_WORDS - random->left--];
}

uint64_t tr_random_refill(struct tr_random *random)
{
	uint64_t low = tr_random_u32(random);

	return low | (uint64_t)tr_random_u32(random) << 32;
}
