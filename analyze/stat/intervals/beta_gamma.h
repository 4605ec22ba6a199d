// SPDX-License-Identifier: GPL-3.0-or-later
// Beta and gamma functions where those of GSL 2.7 fail.
#ifndef STAT_BETA_GAMMA_H
#define STAT_BETA_GAMMA_H

#include <stdint.h>

// ---- The incomplete beta function where GSL 2.7 fails: gsl_cdf_beta_P and gsl_cdf_binomial_P give
// NaN near the middle from a + b = 10^7 on, and are off by 1e-9 at 10^6; neither gives a logarithm
// of values below the smallest double.

// Regularised incomplete beta function I_x(a, b) = integral from 0 to x of t^(a-1) (1-t)^(b-1) dt /
// B(a, b), 0 <= x <= 1, a, b > 0; y must be 1 - x (passed separately because one of the two may be
// too small to compute by subtraction). NaN outside these ranges.
double incomplete_beta(double a, double b, double x, double y);

// ln I_x(a, b), also where the function itself would be too small for a double.
double log_incomplete_beta(double a, double b, double x, double y);

// Probability of at most k successes in n trials, each of probability 0 < p < 1. Relative error
// about 1e-13 for n up to 10^4, 1e-9 up to 10^6.
double binomial_cdf(uint64_t k, uint64_t n, double p);

// ---- Quantiles of the gamma law where GSL 2.7 fails: gsl_cdf_gamma_Pinv gives NaN for most p from
// a = 10^6 on and for p < 0.5 at a = 0.05, and is off by 4e-6 at a = 10^7; intervals for packet
// counts need such a.

// The x that a gamma variable of shape a > 0 is below with probability p, 0 < p < 1; relative error
// about 1e-12. Half the quantile of the chi-square law of 2 a degrees of freedom.
double gamma_quantile(double a, double p);

#endif
