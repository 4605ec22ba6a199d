// SPDX-License-Identifier: GPL-3.0-or-later
// Long sums against smooth functions, and a band of a periodogram, from few numbers.
#ifndef STAT_CONDENSED_H
#define STAT_CONDENSED_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/spectrum.h"

// ---- Long sums against smooth functions, from few numbers. Of values v_j, first <= j <= last, a few hundred weights w_q at
// places j_q remain, such that the sum of v_j g(j) is that of w_q g(j_q) for every g that is smooth over a ratio of its
// argument: a power of j, a spectrum, exp(-c j). Made in one pass over the values; then a likelihood costs what its places
// cost, and not what its frequencies do.
//
// Places below 64 stand for themselves. Above, each half of an octave has CONDENSED_DEGREE of Chebyshev's nodes, in which g
// is interpolated: where g is analytic but for 0 and the negative or the imaginary axis, the error is below 1e-13 (Trefethen 2013) of the
// greatest |g| nearby times the sum of |v_j| (the ellipse that reaches 0 is 9.9 times wider than the half octave).

#define CONDENSED_DEGREE 14
#define CONDENSED_SINGLE 64
#define CONDENSED_MAX 1280 // enough for all j below 2^48

struct condensed_places {
	size_t first, last;
	size_t count;
	double at[CONDENSED_MAX]; // j_q, between first and last
};

// Value j is base[(j - first) stride] - level, or that less value j + 1 (and no level), or its square; 1 where base is NULL.
struct condensed_values {
	const double *base;
	ptrdiff_t stride;
	double level;
	bool differenced;
	bool squared;
};

// 1 <= first <= last < 2^48.
void condensed_places_make(struct condensed_places *places, size_t first, size_t last);

// Fills weights[places->count].
void condensed_weights(const struct condensed_places *places, const struct condensed_values *values, double *weights);

// ---- A band of a periodogram, condensed for likelihoods of smooth densities.

// The sum over the band's frequencies l of power(l) g(l) is that of power[q] g(frequency[q]); likewise of power(l)^2 by
// squares, and of g(l) alone by counts. Some weights may be below 0. 50 KiB.
struct condensed_spectrum {
	size_t frequencies;		 // of the band
	size_t count;			 // places
	double frequency[CONDENSED_MAX]; // radians per point
	double power[CONDENSED_MAX], squares[CONDENSED_MAX], counts[CONDENSED_MAX];
};

// The places of a band, and their weights.
void condensed_spectrum_make(struct condensed_spectrum *out, const struct spectrum *spectrum, struct band band);

// Probability that a periodogram of the spectrum whose values at the places are shape[] (up to a factor) is as far from it as
// this one is, by the statistic of Beran 1992: small where the model is wrong.
double condensed_spectrum_fit(const struct condensed_spectrum *band, const double *shape);

// ---- The law of the sum of squares of the shares that independent exponential values have in their sum (Greenwood 1946; Moran
// 1947).

// Probability of a sum of squared shares as large as g among count values, count >= 3: right to a tenth of itself from 32
// values on, down to 1e-3.
double greenwood_p(double g, double count);

#endif
