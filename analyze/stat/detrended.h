// SPDX-License-Identifier: GPL-3.0-or-later
// What is left of a profile's blocks when a polynomial is taken from each.
#ifndef STAT_DETRENDED_H
#define STAT_DETRENDED_H

#include <stddef.h>

#define DETRENDED_ORDER_MAX 3

// Polynomials of degree 0 to order, orthogonal and of length 1 over m equally spaced points
// (Gram's), each m doubles: basis[degree * m + i]. m > order.
void detrended_basis(double *basis, size_t m, unsigned order);

// Mean squared residual of y[m] around its least-squares polynomial.
double detrended_residual(const double *y, size_t m, const double *basis, unsigned order);

#endif
