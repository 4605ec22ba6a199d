// SPDX-License-Identifier: GPL-3.0-or-later
// How much long memory a spectrum does not exclude, by the largest likelihood (Whittle 1953) of a
// power law added to any mixture of white noise and relaxations.
#ifndef STAT_MEMORY_EXCLUSION_H
#define STAT_MEMORY_EXCLUSION_H

#include "stat/spectra/banded_spectrum.h"
#include "value/status.h"

// What excludes a power law: it makes the spectrum e^3.5 times less likely.
#define MEMORY_EXCLUDED 3.5

struct memory_exclusion {
	double dispersion; // of the mixture without a power law; at least 1. Where it shows that
			   // the mixture does not describe the spectrum the rest is NaN
	// Least loss of log-likelihood, over the dispersion, when a power law is added that is as
	// strong as all else at 1/16 of the series: of any H from .65 to .9, from any frequency
	// down that has 8 periods or more in the series. Above it, or where it is not strong, the
	// spectrum may have any shape that white noise and relaxations make. The search ends where
	// one is not excluded.
	double loss;
	double power; // probability that loss is MEMORY_EXCLUDED or more in such a series without a
		      // power law; NaN unless it is, or always is wanted
	double longer; // how many times as long such a series must be for the power wanted;
		       // INFINITY: more than 4096; NaN as power
	double share; // the least share of the power at 1/16 of the series that excludes a power
		      // law; NaN unless it is excluded with the power wanted
};

// Log-likelihood of the most likely mixture of white noise and relaxations within the scales of the
// series: no time constant is longer than that at whose frequency there are MEMORY_BEGIN_PERIODS
// periods in it.
double memory_mixture_likelihood(const struct banded_spectrum *bands);

// falling, unless NULL: a spectrum at the bands that is judged in place of the mixture where it is
// e^3 times as likely. TR_ERROR if out of memory.
enum tr_status memory_exclusion_find(const struct banded_spectrum *bands, const double *falling,
				     double power_wanted, bool power_always,
				     struct memory_exclusion *out, struct tr_error *err);

#endif
