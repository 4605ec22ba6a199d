// SPDX-License-Identifier: GPL-3.0-or-later
#include "value/philox.h"

#include <string.h>

#if defined __x86_64__ && defined __SSE2__
#define PHILOX_X86 1
#include <immintrin.h>
#else
#define PHILOX_X86 0
#endif

#define ROUNDS 10
#define MULTIPLIER_0 UINT32_C(0xD2511F53)
#define MULTIPLIER_1 UINT32_C(0xCD9E8D57)
#define WEYL_0 UINT32_C(0x9E3779B9) // golden ratio
#define WEYL_1 UINT32_C(0xBB67AE85) // sqrt(3) - 1

void philox_block(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
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
	memcpy(out, c, sizeof(c));
}

static bool always(void)
{
	return true;
}

static void fill_plain(uint64_t first, const uint32_t key[2], uint32_t *out, size_t groups)
{
	for (size_t i = 0; i < groups * PHILOX_GROUP; i++) {
		const uint32_t counter[4] = {(uint32_t)(first + i), (uint32_t)((first + i) >> 32),
					     0, 0};

		philox_block(counter, key, out + 4 * i);
	}
}

static const struct philox_engine plain = {"plain C", always, fill_plain};

#if PHILOX_X86

// One word of two blocks: each in the lower half of 64 bits; the upper half is arbitrary.
struct two_blocks {
	__m128i c[4];
};

static inline struct two_blocks two_round(struct two_blocks in, __m128i k0, __m128i k1)
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

static inline struct two_blocks two_start(uint64_t counter)
{
	const __m128i both = _mm_set_epi64x((int64_t)(counter + 1), (int64_t)counter);

	return (struct two_blocks){
		{both, _mm_srli_epi64(both, 32), _mm_setzero_si128(), _mm_setzero_si128()}};
}

static inline void two_store(struct two_blocks in, uint32_t out[8])
{
	const __m128i low = _mm_set1_epi64x(UINT32_MAX);
	const __m128i front = _mm_or_si128(_mm_and_si128(in.c[0], low),
					   _mm_slli_epi64(in.c[1], 32));
	const __m128i back = _mm_or_si128(_mm_and_si128(in.c[2], low), _mm_slli_epi64(in.c[3], 32));

	_mm_storeu_si128((__m128i *)(void *)out, _mm_unpacklo_epi64(front, back));
	_mm_storeu_si128((__m128i *)(void *)(out + 4), _mm_unpackhi_epi64(front, back));
}

static void fill_sse2(uint64_t first, const uint32_t key[2], uint32_t *out, size_t groups)
{
	for (; groups > 0; groups--, first += PHILOX_GROUP, out += PHILOX_WORDS) {
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
}

static const struct philox_engine sse2 = {"SSE2", always, fill_sse2};

// Keeps compilers from packing the keys and spreading them again in every round.
#define KEEP_SPREAD(a, b) __asm__("" : "+v"(a), "+v"(b))

#define WITH_AVX2 __attribute__((target("avx2")))

// One word of four blocks, likewise.
struct four_blocks {
	__m256i c[4];
};

WITH_AVX2 static inline __attribute__((always_inline)) struct four_blocks four_round(
	struct four_blocks in, __m256i k0, __m256i k1)
{
	const __m256i product_0 = _mm256_mul_epu32(in.c[0], _mm256_set1_epi64x(MULTIPLIER_0));
	const __m256i product_1 = _mm256_mul_epu32(in.c[2], _mm256_set1_epi64x(MULTIPLIER_1));

	return (struct four_blocks){{
		_mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product_1, 32), in.c[1]), k0),
		product_1,
		_mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product_0, 32), in.c[3]), k1),
		product_0,
	}};
}

WITH_AVX2 static inline __attribute__((always_inline)) struct four_blocks four_start(
	uint64_t counter)
{
	const __m256i all = _mm256_add_epi64(_mm256_set1_epi64x((int64_t)counter),
					     _mm256_set_epi64x(3, 2, 1, 0));

	return (struct four_blocks){
		{all, _mm256_srli_epi64(all, 32), _mm256_setzero_si256(), _mm256_setzero_si256()}};
}

WITH_AVX2 static inline __attribute__((always_inline)) void four_store(struct four_blocks in,
								       uint32_t out[16])
{
	const __m256i front = _mm256_blend_epi32(in.c[0], _mm256_slli_epi64(in.c[1], 32), 0xaa);
	const __m256i back = _mm256_blend_epi32(in.c[2], _mm256_slli_epi64(in.c[3], 32), 0xaa);
	const __m256i even = _mm256_unpacklo_epi64(front, back),
		      odd = _mm256_unpackhi_epi64(front, back);

	_mm256_storeu_si256((__m256i *)(void *)out, _mm256_permute2x128_si256(even, odd, 0x20));
	_mm256_storeu_si256((__m256i *)(void *)(out + 8),
			    _mm256_permute2x128_si256(even, odd, 0x31));
}

WITH_AVX2 static void fill_avx2(uint64_t first, const uint32_t key[2], uint32_t *out, size_t groups)
{
	for (; groups > 0; groups--, first += PHILOX_GROUP, out += PHILOX_WORDS) {
		__m256i k0 = _mm256_set1_epi64x(key[0]), k1 = _mm256_set1_epi64x(key[1]);
		struct four_blocks four = four_start(first);

#pragma GCC unroll 10
		for (int round = 0; round < ROUNDS; round++) {
			four = four_round(four, k0, k1);
			k0 = _mm256_add_epi64(k0, _mm256_set1_epi64x(WEYL_0));
			k1 = _mm256_add_epi64(k1, _mm256_set1_epi64x(WEYL_1));
			KEEP_SPREAD(k0, k1);
		}
		four_store(four, out);
	}
}

static bool has_avx2(void)
{
	return __builtin_cpu_supports("avx2");
}

static const struct philox_engine avx2 = {"AVX2", has_avx2, fill_avx2};

#define EXCLUSIVE_OR 0x96 // of three
#define WITH_AVX512 __attribute__((target("avx512f")))

// One word of eight blocks, likewise.
struct eight_blocks {
	__m512i c[4];
};

WITH_AVX512 static inline __attribute__((always_inline)) struct eight_blocks eight_round(
	struct eight_blocks in, __m512i k0, __m512i k1)
{
	const __m512i product_0 = _mm512_mul_epu32(in.c[0], _mm512_set1_epi64(MULTIPLIER_0));
	const __m512i product_1 = _mm512_mul_epu32(in.c[2], _mm512_set1_epi64(MULTIPLIER_1));

	return (struct eight_blocks){{
		_mm512_ternarylogic_epi64(_mm512_srli_epi64(product_1, 32), in.c[1], k0,
					  EXCLUSIVE_OR),
		product_1,
		_mm512_ternarylogic_epi64(_mm512_srli_epi64(product_0, 32), in.c[3], k1,
					  EXCLUSIVE_OR),
		product_0,
	}};
}

WITH_AVX512 static inline __attribute__((always_inline)) void eight_store(struct eight_blocks in,
									  uint32_t out[32])
{
	const __m512i front = _mm512_mask_blend_epi32(0xaaaa, in.c[0],
						      _mm512_slli_epi64(in.c[1], 32));
	const __m512i back = _mm512_mask_blend_epi32(0xaaaa, in.c[2],
						     _mm512_slli_epi64(in.c[3], 32));

	_mm512_storeu_si512(out, _mm512_permutex2var_epi64(
					 front, _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0), back));
	_mm512_storeu_si512(out + 16,
			    _mm512_permutex2var_epi64(
				    front, _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4), back));
}

// Two groups at a time; a remaining one by AVX2, which every such processor has.
WITH_AVX512 static void fill_avx512(uint64_t first, const uint32_t key[2], uint32_t *out,
				    size_t groups)
{
	for (; groups > 1; groups -= 2, first += 2 * PHILOX_GROUP, out += 2 * PHILOX_WORDS) {
		const __m512i all = _mm512_add_epi64(_mm512_set1_epi64((int64_t)first),
						     _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
		struct eight_blocks eight = {{all, _mm512_srli_epi64(all, 32),
					      _mm512_setzero_si512(), _mm512_setzero_si512()}};
		__m512i k0 = _mm512_set1_epi64(key[0]), k1 = _mm512_set1_epi64(key[1]);

#pragma GCC unroll 10
		for (int round = 0; round < ROUNDS; round++) {
			eight = eight_round(eight, k0, k1);
			k0 = _mm512_add_epi64(k0, _mm512_set1_epi64(WEYL_0));
			k1 = _mm512_add_epi64(k1, _mm512_set1_epi64(WEYL_1));
			KEEP_SPREAD(k0, k1);
		}
		eight_store(eight, out);
	}
	fill_avx2(first, key, out, groups);
}

static bool has_avx512(void)
{
	return __builtin_cpu_supports("avx512f") && has_avx2();
}

static const struct philox_engine avx512 = {"AVX-512", has_avx512, fill_avx512};

#endif

const struct philox_engine *const philox_engines[] = {
#if PHILOX_X86
	&avx512, &avx2, &sse2,
#endif
	&plain, NULL};

const struct philox_engine *philox_best(void)
{
	size_t i = 0;

	while (!philox_engines[i]->runs())
		i++;
	return philox_engines[i];
}
