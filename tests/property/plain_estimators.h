// SPDX-License-Identifier: GPL-3.0-or-later
// Estimators as in their papers, not optimised: every frequency, every block, every point. The
// oracle of those in analyze/stat.
#ifndef TESTS_PLAIN_ESTIMATORS_H
#define TESTS_PLAIN_ESTIMATORS_H

#include <stddef.h>

// H of x[n] with default scales and bandwidths. Without memory the program ends.
double plain_exact_local_whittle(const double *x, size_t n);
double plain_whittle_farima(const double *x, size_t n);

// *fit: Beran's p-value; *se: from the information.
double plain_whittle_fgn(const double *x, size_t n, double *fit, double *se);

// Mean squared residual of the m points y[] around their polynomial, by Gram and Schmidt.
double plain_residual(const double *y, size_t m, unsigned order);

// log10 of the fluctuation of detrended fluctuation analysis at block length m.
double plain_fluctuation(const double *x, size_t n, size_t m, unsigned order);

// log10 of the median residual of residuals of regression at block length m.
double plain_median_residual(const double *x, size_t n, size_t m);

// log10 of the mean R/S at block length m.
double plain_rescaled_range(const double *x, size_t n, size_t m);

#endif
