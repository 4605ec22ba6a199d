// SPDX-License-Identifier: GPL-3.0-or-later
// The Kolmogorov-Smirnov distance of a sample from a distribution, for the tests of draws.
#ifndef TESTS_KS_H
#define TESTS_KS_H

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

// sqrt(n) D exceeds this in one sample of a thousand (Kolmogorov's limit law).
#define KS_ONE_IN_1000 1.9495

static int ks_order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

// sqrt(n) times the distance; sorts the sample.
static double ks_scaled(double *sample, size_t n, double (*cdf)(double x))
{
	double worst = 0;

	qsort(sample, n, sizeof(*sample), ks_order);
	for (size_t i = 0; i < n; i++) {
		double f = cdf(sample[i]);

		worst = fmax(worst,
			     fmax(f - (double)i / (double)n, (double)(i + 1) / (double)n - f));
	}
	return worst * sqrt((double)n);
}

#endif
