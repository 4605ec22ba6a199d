// SPDX-License-Identifier: GPL-3.0-or-later
// Logarithm, exponential and power for draws, with the same bits on every processor. A C library's
// results differ in the last bit between processors (glibc uses fused multiply-add if available),
// and so would a seed's traffic. Here all is made of additions, subtractions, multiplications and
// divisions, whose results IEEE 754 fixes; none may be fused (-ffp-contract=off). Each result is
// rounded from a sum of two numbers (Dekker: A floating-point technique for extending the available
// precision, Numer. Math. 18 (1971) 224-242).
//
// Largest errors of 10^7 random arguments against 113 bits, in units in the last place: powers_log
// 0.501, powers_exp 0.55, powers_of 0.55 where |log of the result| is below 40, as a draw's is.
#ifndef GEN_POWERS_H
#define GEN_POWERS_H

// Natural logarithm of a normal x > 0.
double powers_log(double x);

// The logarithm to 2e-9, absolute, in a quarter of the time, for comparisons that are mostly clear;
// and the exponential of |x| < 700 to a relative 1e-8.
double powers_log_near(double x);
double powers_exp_near(double x);

// Natural logarithm of 1 + x, x > -1.
double powers_log1p(double x);

// e to the x; INFINITY and 0 beyond the range of a double.
double powers_exp(double x);

// x to the y, x > 0 normal; likewise.
double powers_of(double x, double y);

#endif
