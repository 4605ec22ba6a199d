// SPDX-License-Identifier: GPL-3.0-or-later
// Draws from the basic distributions, exact and fast: the ziggurat of Marsaglia and Tsang (The
// ziggurat method for generating random variables, J. Stat. Softw. 5(8), 2000) with 256 layers,
// 53-bit mantissas and separate bits for layer and sign (Doornik 2005 describes the defects
// otherwise). A seed's draws have the same bits on every processor (gen/powers.h).
#ifndef GEN_DRAW_H
#define GEN_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "value/random.h"

#define DRAW_LAYERS 256

// One ziggurat: right edges x and densities f there; x[0] is the base layer's width, x[256] is 0.
struct draw_ziggurat {
	double x[DRAW_LAYERS + 1];
	double f[DRAW_LAYERS + 1];
};

// Both ziggurats; made once by the caller, then read-only. 8 KiB.
struct draw_tables {
	struct draw_ziggurat exponential;
	struct draw_ziggurat normal;
};

// Computes both.
void draw_tables_make(struct draw_tables *tables);

// Numbers of a stream, some already drawn: those from at to end come first.
struct draw_bits {
	const uint64_t *at, *end;
	struct tr_random *random;
};

// Completes the draw whose first number is bits, taking further numbers from more.
double draw_exponential_edge(const struct draw_tables *tables, struct draw_bits *more,
			     uint64_t bits);
double draw_normal_edge(const struct draw_tables *tables, struct draw_bits *more, uint64_t bits);

// The point of the ziggurat for bits; *inside: it is a complete draw, except for the normal's sign.
static inline double draw_point(const struct draw_ziggurat *z, uint64_t bits, bool *inside)
{
	const unsigned i = bits & (DRAW_LAYERS - 1);
	const double x = (double)(int64_t)(bits >> 11) * 0x1p-53 * z->x[i];

	*inside = __builtin_expect(x < z->x[i + 1], 1);
	return x;
}

// Exponential with mean 1.
static inline double draw_exponential(const struct draw_tables *tables, struct tr_random *random)
{
	const uint64_t bits = tr_random_u64(random);
	bool inside;
	const double x = draw_point(&tables->exponential, bits, &inside);

	return inside ? x
		      : draw_exponential_edge(tables, &(struct draw_bits){NULL, NULL, random},
					      bits);
}

// x >= 0 with this sign bit, 1 for negative.
static inline double draw_signed(double x, uint64_t sign)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	bits |= sign << 63;
	memcpy(&x, &bits, sizeof(bits));
	return x;
}

// A sign, 0 or 1, from bits of which the layer's are used already.
static inline uint64_t draw_sign(uint64_t bits)
{
	return bits / DRAW_LAYERS & 1;
}

// Normal with mean 0 and variance 1.
static inline double draw_normal(const struct draw_tables *tables, struct tr_random *random)
{
	const uint64_t bits = tr_random_u64(random);
	bool inside;
	const double x = draw_point(&tables->normal, bits, &inside);

	return inside ? draw_signed(x, draw_sign(bits))
		      : draw_normal_edge(tables, &(struct draw_bits){NULL, NULL, random}, bits);
}

#define DRAW_BLOCK 32u // size of a block of draws

// Draws count exponentials, the same as count calls of draw_exponential.
void draw_exponentials(const struct draw_tables *tables, struct tr_random *random, double *out,
		       size_t count);

// count normals, likewise.
void draw_normals(const struct draw_tables *tables, struct tr_random *random, double *out,
		  size_t count);

// Gamma with the given shape > 0 and scale 1 (Marsaglia and Tsang: A simple method for generating
// gamma variables, ACM TOMS 26 (2000) 363-372).
double draw_gamma(const struct draw_tables *tables, double shape, struct tr_random *random);

// Geometric on {1, 2, ...} with the given mean >= 1, by inversion; at most 2^53.
uint64_t draw_geometric(double mean, struct tr_random *random);

// The same; log_stay is log1p(-1 / mean), or 0 for a mean of 1, computed once.
uint64_t draw_geometric_log(double log_stay, struct tr_random *random);

#endif
