// SPDX-License-Identifier: GPL-3.0-or-later
// A band of a periodogram, condensed for likelihoods of smooth densities: see condensed.h.
#ifndef STAT_CONDENSED_SPECTRUM_H
#define STAT_CONDENSED_SPECTRUM_H

#include <stddef.h>

#include "stat/condensed.h"
#include "stat/spectrum.h"

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
// this one is, by Beran's statistic: small where the model is wrong.
double condensed_spectrum_fit(const struct condensed_spectrum *band, const double *shape);

#endif
