// SPDX-License-Identifier: GPL-3.0-or-later
// Algorithms as parallel programs. A new one is a file that fills in a struct program_kind, and one
// line of the table in algorithms.c. Declared here: the table, and random permutations; collective
// operations are kinds too.
#ifndef GEN_PROGRAMS_ALGORITHMS_H
#define GEN_PROGRAMS_ALGORITHMS_H

#include "collectives/sequence.h"

// The kinds by name, ended by NULL.
extern const struct program_kind *const program_kinds[];

// Writes the program described by text to out: a comment that says what it is, then the text. watch
// (NULL: none) gets each message that carries known data. TR_ERROR: a wrong argument (nothing was
// written then), or a time that does not fit. For write failures check out.
enum tr_status program_write(const char *text, FILE *out, const struct sequence_watch *watch,
			     struct tr_error *err);

extern const struct program_kind program_cannon;
extern const struct program_kind program_fft_1d;
extern const struct program_kind program_fft_3d;
extern const struct program_kind program_fft_rc;
extern const struct program_kind program_fft_vr;
extern const struct program_kind program_halo;
extern const struct program_kind program_matmul;
extern const struct program_kind program_multicast;
extern const struct program_kind program_random;
extern const struct program_kind program_sweep;
extern const struct program_kind program_training;

// ---- Random permutations of 0 .. n-1, computed for one number at a time in both directions: a
// Feistel network of eight rounds of Philox on the least square that holds them, iterated until the
// result is in range (Black, Rogaway: Ciphers with Arbitrary Finite Domains, CT-RSA 2002).

struct permutation {
	uint32_t n;
	uint32_t side; // least whole number whose square is no less than n
	uint32_t key[2];
};

// A family of 2^32 permutations of n > 0 numbers.
struct permutation permutation_make(uint64_t seed, uint32_t n);

// The image of i under the permutation of this number, and its inverse.
uint32_t permutation_of(const struct permutation *permutation, uint32_t number, uint32_t i);
uint32_t permutation_back(const struct permutation *permutation, uint32_t number, uint32_t i);

#endif
