// SPDX-License-Identifier: GPL-3.0-or-later
// Small square matrices, row by row: the linear algebra of Markov chains. Fits search over chains
// of 2 to 4 states, where these are faster than GSL's: at 2 states a product takes 12 ns (gsl_blas
// 14), an inverse 22 ns (gsl_linalg_LU 151).
#ifndef GEN_ARRIVALS_DENSE_H
#define GEN_ARRIVALS_DENSE_H

#include <stdbool.h>

// out = a b, all n x n; out must be neither a nor b.
void dense_multiply(unsigned n, const double *a, const double *b, double *out);

// A part of a calculation that is compiled once for each constant number of states: inlined where
// it is called.
#define DENSE_FEW static inline __attribute__((always_inline))

// Scalar product.
DENSE_FEW double dense_dot(unsigned n, const double *a, const double *b)
{
	double sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

// row = row a; scratch of n.
DENSE_FEW void dense_row(unsigned n, double *row, const double *a, double *scratch)
{
	for (unsigned j = 0; j < n; j++)
		scratch[j] = 0;
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < n; j++)
			scratch[j] += row[i] * a[i * n + j];
	for (unsigned j = 0; j < n; j++)
		row[j] = scratch[j];
}

// column = a column; scratch of n.
DENSE_FEW void dense_column(unsigned n, const double *a, double *column, double *scratch)
{
	for (unsigned i = 0; i < n; i++)
		scratch[i] = dense_dot(n, a + i * n, column);
	for (unsigned i = 0; i < n; i++)
		column[i] = scratch[i];
}

// Inverts a in place, by Gauss-Jordan elimination with row pivots; work of n x n. False if a is
// singular.
bool dense_invert(unsigned n, double *a, double *work);

// The stationary row, with sum 1, of the irreducible generator q (rows sum to 0, off-diagonals >=
// 0), by the elimination of Grassmann, Taksar and Heyman (Operations Research 33 (1985) 1107),
// which subtracts nothing. Only the off-diagonals of q are read; q is destroyed.
void dense_stationary(unsigned n, double *q, double *row);

// out = exp(a t_s) for a matrix with off-diagonals >= 0 and no positive row sum, t_s >= 0:
// uniformisation, Taylor's series of the non-negative matrix, and squaring. work of 2 n x n.
void dense_exponential(unsigned n, const double *a, double t_s, double *out, double *work);

// The largest rate of leaving, -a[i][i].
double dense_fastest(unsigned n, const double *a);

#endif
