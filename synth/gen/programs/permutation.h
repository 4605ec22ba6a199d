// SPDX-License-Identifier: GPL-3.0-or-later
// Random permutations of 0 .. n-1 that are computed for one number at a time, there and back: a Feistel
// network of eight rounds of Philox on the least square that holds them, walked until it comes back inside
// (Black, Rogaway: Ciphers with Arbitrary Finite Domains, CT-RSA 2002).
#ifndef GEN_PROGRAMS_PERMUTATION_H
#define GEN_PROGRAMS_PERMUTATION_H

#include <stdint.h>

struct permutation {
	uint32_t n;
	uint32_t side; // least whole number whose square is no less than n
	uint32_t key[2];
};

// A family of 2^32 permutations of n > 0 numbers.
struct permutation permutation_make(uint64_t seed, uint32_t n);

// Where i goes in the permutation of this number, and what comes to i.
uint32_t permutation_of(const struct permutation *permutation, uint32_t number, uint32_t i);
uint32_t permutation_back(const struct permutation *permutation, uint32_t number, uint32_t i);

#endif
