// SPDX-License-Identifier: GPL-3.0-or-later
// The beta function and the incomplete beta function.
#ifndef STAT_BETA_H
#define STAT_BETA_H

// ln B(a, b) for a, b > 0, relative error about 1e-14 of B also where a or b is large.
double log_beta(double a, double b);

// Regularised incomplete beta function I_x(a, b), 0 <= x <= 1, a, b > 0; y must be 1 - x (given
// apart because one of the two may be too small to be formed by subtraction). NaN outside the
// ranges.
double incomplete_beta(double a, double b, double x, double y);

// ln I_x(a, b), also where the function itself would be too small for a double.
double log_incomplete_beta(double a, double b, double x, double y);

#endif
