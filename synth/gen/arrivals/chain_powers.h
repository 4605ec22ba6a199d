// SPDX-License-Identifier: GPL-3.0-or-later
// exp(d0 t) of a Markovian arrival process for any whole number of ticks t, as a product of few tabled matrices: one for
// each digit of t that is not 0, in a base that suits the number of states. No entry is ever negative, so nothing cancels;
// each matrix stands with the logarithm of its scale, so nothing underflows, however long a gap is.
#ifndef GEN_ARRIVALS_CHAIN_POWERS_H
#define GEN_ARRIVALS_CHAIN_POWERS_H

#include <stdint.h>

#include "gen/arrivals/chain.h"

#define CHAIN_BELOW_MAX 40u    // bits below a tick
#define CHAIN_SEGMENTS_MAX 63u // of a time

// About 8 (2 values digits + bits) n^2 bytes, values being 2^digit_bits; at most 3 MiB for gaps below 2^31 ticks.
struct chain_powers {
	unsigned states;
	unsigned digit_bits, digits;
	unsigned below;	   // bits below a tick: the shortest time is so short that few moves fall in it
	double *doubled;   // of 2^(j - below) ticks at j
	double *scale;	   // their logarithms
	double *joined;	   // the square of the one before is this times the one at j
	double *table;	   // of value v of digit d at (d << digit_bits | v); 0 is not used
	double *log_scale; // the same for the table
	double *factor;	   // top bit's times rest's is this times the one at v
};

// One part of a time: its index in table.
typedef uint32_t chain_segment;

// Room for the times up to longest_ticks >= 1. TR_ERROR without memory.
enum tr_status chain_powers_new(struct chain_powers *out, unsigned states, int64_t longest_ticks, struct tr_error *err);

void chain_powers_clear(struct chain_powers *powers);

// Fills in the tables. TR_ERROR: moves are beyond all measure faster than ticks. work of 2 n^2.
enum tr_status chain_powers_set(struct chain_powers *powers, const struct chain *chain, double ticks_per_s, double *work,
				struct tr_error *err);

// The segments of a time of 0 .. longest ticks; returns how many.
unsigned chain_powers_split(const struct chain_powers *powers, int64_t ticks, chain_segment out[CHAIN_SEGMENTS_MAX]);

// The other way about: given for each segment the matrix b (in the table's place and scale; it is destroyed), adds up the
// integrals of exp(d0 (L - s)) b exp(d0 s) over s in 0 .. L, L being the segment's time, in s. out of n^2, work of 4 n^2.
void chain_powers_integrate(const struct chain_powers *powers, const struct chain *chain, double ticks_per_s, double *b,
			    double *out, double *work);

#endif
