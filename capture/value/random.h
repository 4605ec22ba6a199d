// SPDX-License-Identifier: GPL-3.0-or-later
// Named random streams: Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers, as easy
// as 1, 2, 3; SC 2011), keyed by XXH3(name, seed). A draw from one stream, or a new stream, changes
// no other. Known answers: the authors' three kat_vectors for philox4x32 with 10 rounds.
#ifndef VALUE_RANDOM_H
#define VALUE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#define TR_RANDOM_WORDS 16u // generated at a time: four blocks

// One stream. The caller owns it; copying it copies the position.
struct tr_random {
	uint32_t key[2];
	uint64_t counter; // blocks made so far
	uint32_t left;	  // words of pool not yet given
	uint32_t pool[TR_RANDOM_WORDS];
};

// Starts the stream called name ("node3/data/gap") for the experiment's seed.
void tr_random_open(struct tr_random *random, uint64_t seed, const char *name);

// As tr_random_u64, when the pool has fewer than two words.
uint64_t tr_random_refill(struct tr_random *random);

// Uniform on 0 .. 2^32-1 and 0 .. 2^64-1.
uint32_t tr_random_u32(struct tr_random *random);
static inline uint64_t tr_random_u64(struct tr_random *random)
{
	if (__builtin_expect(random->left < 2, 0))
		return tr_random_refill(random);
	const uint32_t *word = &random->pool[TR_RANDOM_WORDS - random->left];

	random->left -= 2;
	return word[0] | (uint64_t)word[1] << 32;
}

// count numbers, uniform on 0 .. 2^64-1: the same as from count calls of tr_random_u64, but faster.
void tr_random_fill(struct tr_random *random, uint64_t *out, size_t count);

// Uniform on 0 .. n-1 without bias; n > 0. Lemire: Fast random integer generation in an interval,
// ACM TOMACS 29 (2019), algorithm 5.
static inline uint64_t tr_random_below(struct tr_random *random, uint64_t n)
{
	unsigned __int128 product = (unsigned __int128)tr_random_u64(random) * n;

	if (__builtin_expect((uint64_t)product < n,
			     0)) {	  // else it is at least 2^64 mod n, without the division
		uint64_t uneven = -n % n; // 2^64 mod n

		while ((uint64_t)product < uneven)
			product = (unsigned __int128)tr_random_u64(random) * n;
	}
	return (uint64_t)(product >> 64);
}

// count numbers: the same as from count calls of tr_random_below; n below 2^32.
void tr_random_below_fill(struct tr_random *random, uint32_t n, uint32_t *out, size_t count);

// Puts the items into random order (Durstenfeld: Algorithm 235, CACM 7, 1964); count below 2^32.
void tr_random_shuffle(struct tr_random *random, uint32_t *items, uint32_t count);

// Uniform on the open interval (0, 1): (k + 1/2) / 2^52 with k of 52 random bits.
static inline double tr_random_unit_of(uint64_t bits)
{
	return ((double)(int64_t)(bits >> 12) + 0.5) * 0x1p-52;
}
static inline double tr_random_unit(struct tr_random *random)
{
	return tr_random_unit_of(tr_random_u64(random));
}

#endif
