// SPDX-License-Identifier: GPL-3.0-or-later
// XXH3 with the widest vectors of the processor, for long inputs: the same digests as xxhash.h
// alone, which is compiled for SSE2, but four times as fast with AVX2. A library without run-time
// dispatch works as well.
#ifndef VALUE_XXH3_H
#define VALUE_XXH3_H

#include <xxhash.h>

#ifdef FLIT_XXH3_DISPATCH
#include <xxh_x86dispatch.h>

// After the library's code for AVX-512 (0.8.1) the upper halves of the vector registers stay in
// use, and instructions of SSE, those of libm among them, then take up to ten times as long, until
// other code clears the halves. Inputs of at most 240 bytes are hashed without vectors. Guard:
// tests/unit/body_hash_test.c.
__attribute__((target("avx"), noinline, unused)) static void xxh3_clear_upper_halves(void)
{
	__builtin_ia32_vzeroupper();
}

// After hashing so many bytes.
static inline void xxh3_leave(size_t bytes)
{
	if (bytes > 240 && __builtin_cpu_supports("avx"))
		xxh3_clear_upper_halves();
}

// XXH3_64bits in the variant for this processor.
static inline XXH64_hash_t xxh3_64bits(const void *data, size_t bytes)
{
	const XXH64_hash_t hash = XXH3_64bits_dispatch(data, bytes);

	xxh3_leave(bytes);
	return hash;
}

// XXH3_64bits_withSeed in the variant for this processor.
static inline XXH64_hash_t xxh3_64bits_with_seed(const void *data, size_t bytes, XXH64_hash_t seed)
{
	const XXH64_hash_t hash = XXH3_64bits_withSeed_dispatch(data, bytes, seed);

	xxh3_leave(bytes);
	return hash;
}

// Bytes that were kept are hashed as soon as there are enough of them.
static inline XXH_errorcode xxh3_64bits_update(XXH3_state_t *state, const void *data, size_t bytes)
{
	const XXH_errorcode code = XXH3_64bits_update_dispatch(state, data, bytes);

	xxh3_leave(SIZE_MAX);
	return code;
}

#undef XXH3_64bits
#define XXH3_64bits xxh3_64bits
#undef XXH3_64bits_withSeed
#define XXH3_64bits_withSeed xxh3_64bits_with_seed
#undef XXH3_64bits_update
#define XXH3_64bits_update xxh3_64bits_update
#endif

#endif
