// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/profile.h"

double profile_make(const double *x, size_t n, double *sums)
{
	double mean = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		mean += x[i];
	mean /= (double)n;
	sums[0] = 0;
	for (size_t i = 0; i < n; i++) {
		sums[i + 1] = sums[i] + (x[i] - mean);
		squares += (x[i] - mean) * (x[i] - mean);
	}
	return squares;
}

size_t profile_workspace(size_t n)
{
	return n + 1;
}
