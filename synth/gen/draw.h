// SPDX-License-Identifier: GPL-3.0-or-later
// Draws from the distributions that the generators are made of, exact and fast: the ziggurat of
// Marsaglia and Tsang (The ziggurat method for generating random variables, J. Stat. Softw. 5(8),
// 2000) with 256 layers, 53-bit mantissas and separate bits for layer and sign (Doornik 2005 names
// what goes wrong otherwise).
#ifndef GEN_DRAW_H
#define GEN_DRAW_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "trace/random.h"

#define DRAW_LAYERS 256

// One ziggurat: right edges x and densities f there; x[0] is the base layer's width, x[256] is 0.
struct draw_ziggurat {
	double x[DRAW_LAYERS + 1];
	double f[DRAW_LAYERS + 1];
};

// Both of them; made once by the caller, read only after. 8 KiB.
struct draw_tables {
	struct draw_ziggurat exponential;
	struct draw_ziggurat normal;
};

void draw_tables_make(struct draw_tables *tables);

// The rest of a draw whose first value x, of layer i, passed that layer's edge.
double draw_exponential_edge(const struct draw_tables *tables, struct tr_random *random, unsigned i, double x);
double draw_normal_edge(const struct draw_tables *tables, struct tr_random *random, unsigned i, double x,
			uint64_t sign);

// Exponential with mean 1.
static inline double draw_exponential(const struct draw_tables *tables, struct tr_random *random)
{
	const struct draw_ziggurat *z = &tables->exponential;
	const uint64_t bits = tr_random_u64(random);
	const unsigned i = bits & (DRAW_LAYERS - 1);
	const double x = (double)(int64_t)(bits >> 11) * 0x1p-53 * z->x[i];

	if (__builtin_expect(x < z->x[i + 1], 1))
		return x;
	return draw_exponential_edge(tables, random, i, x);
}

// x >= 0 with this sign bit, 1 for negative.
static inline double draw_signed(double x, uint64_t sign)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof bits);
	bits |= sign << 63;
	memcpy(&x, &bits, sizeof bits);
	return x;
}

// Normal with mean 0 and variance 1.
static inline double draw_normal(const struct draw_tables *tables, struct tr_random *random)
{
	const struct draw_ziggurat *z = &tables->normal;
	const uint64_t bits = tr_random_u64(random);
	const unsigned i = bits & (DRAW_LAYERS - 1);
	const uint64_t sign = bits / DRAW_LAYERS & 1;
	const double x = (double)(int64_t)(bits >> 11) * 0x1p-53 * z->x[i];

	if (__builtin_expect(x < z->x[i + 1], 1))
		return draw_signed(x, sign);
	return draw_normal_edge(tables, random, i, x, sign);
}

// count exponentials, as so many calls of draw_exponential give them.
void draw_exponentials(const struct draw_tables *tables, struct tr_random *random, double *out, size_t count);

// Gamma with the given shape > 0 and scale 1 (Marsaglia and Tsang: A simple method for generating gamma variables, ACM TOMS
// 26 (2000) 363-372).
double draw_gamma(const struct draw_tables *tables, double shape, struct tr_random *random);

// Geometric on {1, 2, ...} with the given mean >= 1, by inversion; at most 2^53.
uint64_t draw_geometric(double mean, struct tr_random *random);

// The same where log_stay is log1p(-1 / mean), or 0 for a mean of 1: the logarithm taken once.
uint64_t draw_geometric_log(double log_stay, struct tr_random *random);

#endif
