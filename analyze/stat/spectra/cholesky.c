// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/spectra/cholesky.h"

#include <math.h>

void cholesky_factor(double *matrix, size_t width, size_t n, double floor)
{
	for (size_t i = 0; i < n; i++) {
		double *row = matrix + i * width;

		for (size_t j = 0; j <= i; j++) {
			const double *upper = matrix + j * width;
			double sum = row[j];

			for (size_t k = 0; k < j; k++)
				sum -= row[k] * upper[k];
			row[j] = i == j ? sqrt(fmax(sum, floor)) : sum / upper[j];
		}
	}
}

void cholesky_forward(const double *factor, size_t width, size_t n, double *v)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < i; k++)
			v[i] -= factor[i * width + k] * v[k];
		v[i] /= factor[i * width + i];
	}
}

void cholesky_back(const double *factor, size_t width, size_t n, double *v)
{
	for (size_t i = n; i-- > 0;) {
		for (size_t k = i + 1; k < n; k++)
			v[i] -= factor[k * width + i] * v[k];
		v[i] /= factor[i * width + i];
	}
}
