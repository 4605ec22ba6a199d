// SPDX-License-Identifier: GPL-3.0-or-later
// The incomplete gamma function, its inverse, and the derivatives of the logarithm of the gamma function.
#ifndef STAT_GAMMA_H
#define STAT_GAMMA_H

// Q(a, x) = integral from x on of t^(a-1) e^-t / gamma(a), a > 0, x >= 0: the probability that a gamma variable of shape a is
// above x. Relative error about 1e-13 for a up to 1e6.
double incomplete_gamma_above(double a, double x);

// The x of which a gamma variable of shape a > 0 is below with probability p, 0 < p < 1; relative error about 1e-12. Half the
// quantile of the chi-square law of 2 a degrees of freedom.
double gamma_quantile(double a, double p);

// First and second derivative of ln gamma(x), x > 0; relative error about 1e-13 of the larger of 1 and the value.
double digamma(double x);
double trigamma(double x);

#endif
