// SPDX-License-Identifier: GPL-3.0-or-later
// Tests by the partial sums of a series over its long-run variance.
#ifndef STAT_PARTIAL_SUMS_H
#define STAT_PARTIAL_SUMS_H

#include <stddef.h>

// ---- The long-run variance of a series with short memory: its variance and twice its
// autocovariances, weighted (Newey and West 1987).

// Variance (divisor n) of x[n] about its mean, and twice the autocovariances at lags 1 to lags < n
// with Bartlett's weights 1 - lag / (lags + 1). Not below 0. Takes O(n) time, whatever lags.
double long_run_variance(const double *x, size_t n, size_t lags);

// The whole part of factor (n / 100)^(1/4) (Schwert 1989); common factors are 4 and 12.
size_t long_run_lags_fourth_root(size_t n, double factor);

// ---- Laws of functionals of a Brownian bridge on 0 .. 1.

// Probability that its square integrates to at most x (Cramer and von Mises).
double bridge_square_cdf(double x);

// Probability that its range is at most x (Kuiper).
double bridge_range_cdf(double x);

// Probability that the integral of its squared distance from its own mean is at most x (Watson).
double bridge_variance_cdf(double x);

// ---- Whether a series is stationary about one level, against a random walk in it (Kwiatkowski,
// Phillips, Schmidt and Shin 1992).

struct kpss {
	size_t lags;	  // of the long-run variance
	double statistic; // eta_mu; NaN for a constant series
	double p;	  // of a statistic as large in a stationary series with short memory
};

// Long memory, though stationary, also makes the statistic large: the test is for series without
// it. lags 0: 12 (n / 100)^(1/4). n >= 2.
struct kpss kpss_test(const double *x, size_t n, size_t lags);

// ---- Long memory against short: the range (Lo 1991) and the variance (Giraitis, Kokoszka, Leipus
// and Teyssiere 2003) of the partial sums over those expected with short memory.

// In a series with short memory 95 of 100 statistics lie between these.
#define LO_RESCALED_RANGE_LOW_95 0.809
#define LO_RESCALED_RANGE_HIGH_95 1.862

struct lo_rescaled_range {
	size_t lags;	  // q
	double statistic; // V_q: range of the partial sums over sqrt(n) and the long-run deviation;
			  // or NaN
	double p_above;	  // of one as large in a series with short memory
	double p;	  // of one as extreme, two-sided
	double rescaled_variance; // variance of the partial sums over n and the long-run variance
				  // (V/S); or NaN
	double p_variance;	  // of one as large
};

// lags 0: by Andrews's rule. With more lags, longer dependence counts as short. n >= 2. NaN for a
// constant series.
struct lo_rescaled_range lo_rescaled_range_test(const double *x, size_t n, size_t lags);

#endif
