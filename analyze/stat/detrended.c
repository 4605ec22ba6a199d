// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/detrended.h"

#include <math.h>

static double product(const double *a, const double *b, size_t m)
{
	double sum = 0;

	for (size_t i = 0; i < m; i++)
		sum += a[i] * b[i];
	return sum;
}

// Gram and Schmidt, twice over: what the first pass leaves by rounding the second takes.
static void make_orthogonal(double *basis, size_t m, unsigned degree)
{
	double *own = basis + degree * m;

	for (int pass = 0; pass < 2; pass++) {
		double scale;

		for (unsigned k = 0; k < degree; k++) {
			const double part = product(own, basis + k * m, m);

			for (size_t i = 0; i < m; i++)
				own[i] -= part * basis[k * m + i];
		}
		scale = 1 / sqrt(product(own, own, m));
		for (size_t i = 0; i < m; i++)
			own[i] *= scale;
	}
}

void detrended_basis(double *basis, size_t m, unsigned order)
{
	const double middle = ((double)m - 1) / 2;

	for (unsigned degree = 0; degree <= order; degree++) {
		for (size_t i = 0; i < m; i++)
			basis[degree * m + i] = degree == 0 ? 1 :
				basis[(degree - 1) * m + i] * ((double)i - middle) / (middle + 1);
		make_orthogonal(basis, m, degree);
	}
}

// The level is taken off first, since a profile may be far from 0.
double detrended_residual(const double *y, size_t m, const double *basis, unsigned order)
{
	double parts[DETRENDED_ORDER_MAX + 1] = {0}, squares = 0;

	for (size_t i = 0; i < m; i++) {
		const double value = y[i] - y[0];

		squares += value * value;
		for (unsigned k = 0; k <= order; k++)
			parts[k] += value * basis[k * m + i];
	}
	for (unsigned k = 0; k <= order; k++)
		squares -= parts[k] * parts[k];
	return fmax(0, squares) / (double)m;
}
