// SPDX-License-Identifier: GPL-3.0-or-later
// The statistic is that of all n Fourier frequencies but 0, each of the lower half standing for two.
#include "stat/whittle_fit.h"

#include <math.h>

double whittle_fit(const double *power, const double *shape, size_t count, size_t n)
{
	double sum = 0, squares = 0, statistic;

	for (size_t i = 0; i < count; i++) {
		const double ratio = power[i] / shape[i];

		sum += ratio;
		squares += ratio * ratio;
	}
	// A / B^2 with A = 4 pi / n sum of squares, B = 4 pi / n sum; 1/pi and 2 / (pi^2 n) are its mean
	// and variance.
	statistic = squares / (sum * sum) * (double)n / (4 * M_PI);
	return 0.5 * erfc((statistic - 1 / M_PI) / (sqrt(2 / (double)n) / M_PI) * M_SQRT1_2);
}
