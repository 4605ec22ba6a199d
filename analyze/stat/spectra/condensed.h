// SPDX-License-Identifier: GPL-3.0-or-later
// Condenses long sums of products with smooth functions, and bands of a periodogram, to few terms.
#ifndef STAT_CONDENSED_H
#define STAT_CONDENSED_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/spectra/spectrum.h"

// ---- Condensed sums. Values v_j, first <= j <= last, are replaced by a few hundred weights w_q at
// places j_q such that the sum of v_j g(j) equals that of w_q g(j_q) for every g that is smooth on
// a logarithmic scale: a power of j, a spectrum, exp(-c j). Takes one pass over the values; the
// cost of a likelihood then depends on the number of places, not of frequencies.
//
// Below 64 every j is a place. Above, each half octave has CONDENSED_DEGREE Chebyshev nodes, at
// which g is interpolated: if g is analytic except for 0 and the negative or the imaginary axis,
// the error is below 1e-13 (Trefethen 2013) of the greatest |g| nearby times the sum of |v_j| (the
// ellipse that reaches 0 is 9.9 times wider than the half octave).

#define CONDENSED_DEGREE 14
#define CONDENSED_SINGLE 64
#define CONDENSED_MAX 1280 // enough for all j below 2^48

struct condensed_places {
	size_t first, last;
	size_t count;
	double at[CONDENSED_MAX]; // j_q, between first and last
};

// Value j is base[(j - first) stride] - level, or base's value j less value j + 1 (no level), or
// its square; 1 if base is NULL.
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
void condensed_weights(const struct condensed_places *places, const struct condensed_values *values,
		       double *weights);

// ---- A band of a periodogram, condensed for likelihoods of smooth densities.

// The sum over the band's frequencies l of power(l) g(l) is that of power[q] g(frequency[q]);
// likewise squares for power(l)^2, and counts for g(l) alone. Some weights may be negative. 50 KiB.
struct condensed_spectrum {
	size_t frequencies;		 // of the band
	size_t count;			 // places
	double frequency[CONDENSED_MAX]; // radians per point
	double power[CONDENSED_MAX], squares[CONDENSED_MAX], counts[CONDENSED_MAX];
};

// The places of a band, and their weights.
void condensed_spectrum_make(struct condensed_spectrum *out, const struct spectrum *spectrum,
			     struct band band);

// Goodness of fit of the spectrum with values shape[] at the places (up to a factor): the
// probability of a statistic (Beran 1992) as large as this periodogram's; small if the model is
// wrong.
double condensed_spectrum_fit(const struct condensed_spectrum *band, const double *shape);

// ---- The law of Greenwood's statistic: the sum of squared shares of independent exponential
// values in their sum (Greenwood 1946; Moran 1947).

// Probability of a sum of squared shares as large as g among count values, count >= 3: relative
// error below a tenth from 32 values on, down to 1e-3.
double greenwood_p(double g, double count);

#endif
