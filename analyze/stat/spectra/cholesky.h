// SPDX-License-Identifier: GPL-3.0-or-later
// Cholesky's factor of a small symmetric matrix: L L' is the matrix. GSL's refuses a singular
// matrix, for which this has a floor, and takes 52 ns to factor and solve 2 rows and 123 ns for 4;
// this takes 18 and 81 ns.
#ifndef STAT_CHOLESKY_H
#define STAT_CHOLESKY_H

#include <stddef.h>

// Element i, j of a matrix of n rows is matrix[i * width + j], n <= width; reads only its lower
// half, and replaces it by L. Raises pivots below floor to it, so that a singular matrix has a
// factor; -INFINITY: no floor, for a positive definite one.
void cholesky_factor(double *matrix, size_t width, size_t n, double floor);

// v[n] becomes L^-1 v.
void cholesky_forward(const double *factor, size_t width, size_t n, double *v);

// v[n] becomes L'^-1 v.
void cholesky_back(const double *factor, size_t width, size_t n, double *v);

#endif
