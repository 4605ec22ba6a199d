// SPDX-License-Identifier: GPL-3.0-or-later
// Draws from the distributions that the generators are made of, exact and fast: the ziggurat of
// Marsaglia and Tsang (The ziggurat method for generating random variables, J. Stat. Softw. 5(8),
// 2000) with 256 layers, 53-bit mantissas and separate bits for layer and sign (Doornik 2005 names
// what goes wrong otherwise).
#ifndef GEN_DRAW_H
#define GEN_DRAW_H

#include <stdint.h>

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

// Exponential with mean 1.
double draw_exponential(const struct draw_tables *tables, struct tr_random *random);

// Normal with mean 0 and variance 1.
double draw_normal(const struct draw_tables *tables, struct tr_random *random);

// Geometric on {1, 2, ...} with the given mean >= 1, by inversion; at most 2^53.
uint64_t draw_geometric(double mean, struct tr_random *random);

#endif
