// SPDX-License-Identifier: GPL-3.0-or-later
// Named random streams: Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers, as easy
// as 1, 2, 3; SC 2011), keyed by XXH3(name, seed). A draw from one stream, or a new stream, changes no
// other. Known answers: the three of the authors' kat_vectors for philox4x32 with 10 rounds.
#ifndef TRACE_RANDOM_H
#define TRACE_RANDOM_H

#include <stdint.h>

// One stream. The caller owns it; copying it copies the position.
struct tr_random {
	uint32_t key[2];
	uint64_t counter; // blocks drawn so far
	uint32_t pool[4];
	uint32_t left; // words of pool not yet given
};

// Starts the stream called name ("node3/data/gap") of the experiment's seed at its beginning.
void tr_random_open(struct tr_random *random, uint64_t seed, const char *name);

// The block function: out = Philox4x32-10(counter, key).
void tr_random_block(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

// Uniform on 0 .. 2^32-1 and 0 .. 2^64-1.
uint32_t tr_random_u32(struct tr_random *random);
uint64_t tr_random_u64(struct tr_random *random);

// Uniform on 0 .. n-1 without bias; n > 0.
uint64_t tr_random_below(struct tr_random *random, uint64_t n);

// Uniform on the open interval (0, 1): (k + 1/2) / 2^52, k of 52 bits.
double tr_random_unit(struct tr_random *random);

#endif
