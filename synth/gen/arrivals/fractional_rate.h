// SPDX-License-Identifier: GPL-3.0-or-later
// Packets of a Poisson process whose rate is long-range dependent: in bins that begin at time 0 the rate is
// exp(sigma z - sigma^2/2)/gap, z being fractional Gaussian noise of variance 1. A doubly stochastic (Cox) process whose
// logarithm is Gaussian (Moller, Syversveen and Waagepetersen, Log Gaussian Cox processes, Scand. J. Stat. 25 (1998) 451-482).
// Family "fractional-rate".
#ifndef GEN_ARRIVALS_FRACTIONAL_RATE_H
#define GEN_ARRIVALS_FRACTIONAL_RATE_H

#include "gen/families/arrivals.h"

#define FRACTIONAL_RATE_BINS_MAX ((size_t)1 << 22) // of a source

struct fractional_rate {
	double gap_s; // mean, between packets
	double bin_s; // for which a rate lasts
	double hurst; // of the logarithm of the rates and so of the packets, 0.5 or more
	double sigma; // deviation of that logarithm
};

// Covariance over squared mean of the rates so many bins apart.
double fractional_rate_covariance(const struct fractional_rate *rate, double bins);

// As fit of struct arrival_fit (fractional_rate_fit.c): Whittle's likelihood of counts, at the periodogram's own expectation
// (Sykulski, Olhede, Guillaumin, Lilly and Early, The debiased Whittle likelihood, Biometrika 106 (2019) 251-266), which is
// that of the rates and the floor that Poisson packets add, the mean count. All realisations have one length.
enum tr_status fractional_rate_fit(void *parameters, const struct arrival_sample *sample, struct arrival_notes *notes,
				   struct tr_error *err);

#endif
