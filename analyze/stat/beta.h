// SPDX-License-Identifier: GPL-3.0-or-later
// The incomplete beta function where GSL 2.7 has no value: gsl_cdf_beta_P and gsl_cdf_binomial_P give NaN near the middle from
// a + b = 10^7 on, and are off by 1e-9 at 10^6; neither has a logarithm below the smallest double.
#ifndef STAT_BETA_H
#define STAT_BETA_H

#include <stdint.h>

// Regularised incomplete beta function I_x(a, b), 0 <= x <= 1, a, b > 0; y must be 1 - x (given
// apart because one of the two may be too small to be formed by subtraction). NaN outside the
// ranges.
double incomplete_beta(double a, double b, double x, double y);

// ln I_x(a, b), also where the function itself would be too small for a double.
double log_incomplete_beta(double a, double b, double x, double y);

// Probability of at most k successes in n trials, each of probability 0 < p < 1. Relative error about
// 1e-13 for n up to 10^4, 1e-9 up to 10^6.
double binomial_cdf(uint64_t k, uint64_t n, double p);

#endif
