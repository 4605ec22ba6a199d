// SPDX-License-Identifier: GPL-3.0-or-later
// The statistic is that of all n Fourier frequencies but 0, each of the lower half standing for two.
#include "stat/whittle_fit.h"

#include <math.h>

double whittle_fit(const struct condensed_spectrum *band, const double *shape, size_t n)
{
	double sum = 0, squares = 0, statistic;

	for (size_t q = 0; q < band->count; q++) {
		sum += band->power[q] / shape[q];
		squares += band->squares[q] / (shape[q] * shape[q]);
	}
	// A / B^2 with A = 4 pi / n sum of squares, B = 4 pi / n sum; 1/pi and 2 / (pi^2 n) are its mean
	// and variance.
	statistic = squares / (sum * sum) * (double)n / (4 * M_PI);
	return 0.5 * erfc((statistic - 1 / M_PI) / (sqrt(2 / (double)n) / M_PI) * M_SQRT1_2);
}
