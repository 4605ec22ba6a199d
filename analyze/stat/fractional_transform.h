// SPDX-License-Identifier: GPL-3.0-or-later
// The lowest frequencies of (1 - B)^d of a series, for any d, from those of the series.
//
// y_t is the sum over k from 0 to t of c_k u_(t-k), 0 <= t < n. At a Fourier frequency l, with z = exp(-i l), the transform
// of y is that of u times (1 - z)^d, less that of what the filter goes on to give behind the end:
//	Y(l) = (1 - z)^d U(l) - F(l),	F(l) = sum over r >= 0 of z^r times the sum over a from 1 to n of c_(a+r) u_(n-a).
// As	c_k = -sin(pi d) / pi * integral over s > 0 of exp(-(k - d) s) (1 - exp(-s))^d ds,	k > d > -1,
// which the trapezoidal rule in log s gives to 1e-12, the double sum comes apart:
//	F(l) = sum over s of W_s S_s / (1 - exp(-s) z),	S_s = sum over a of u_(n-a) exp(-s a).
// F is smooth, so that Y's power over a band costs what the places of a condensed sum cost. d beyond +-1/2 is that of the
// differences of the series, or of its sums.
#ifndef STAT_FRACTIONAL_TRANSFORM_H
#define STAT_FRACTIONAL_TRANSFORM_H

#include <stddef.h>

#include "stat/estimator.h"
#include "stat/spectrum.h"

struct fractional_transform;

// Doubles of workspace for n points.
size_t fractional_transform_workspace(size_t n);

// Prepares a band of a series whose spectrum has its coefficients, in workspace. mean: of the series. Both and the spectrum must
// stay. 4 <= n < 2^47.
const struct fractional_transform *fractional_transform_make(const struct series_parts *series, struct band band, double mean,
							     double *workspace);

// Sum over the band of the squared modulus of Y for |d| <= 3/2, where u is the series less its mean up to d = 1/2, and less
// its first point with shift added beyond.
double fractional_transform_power(const struct fractional_transform *transform, double d, double shift);

#endif
