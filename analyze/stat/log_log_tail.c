// SPDX-License-Identifier: GPL-3.0-or-later
// Gabaix and Ibragimov, Rank - 1/2: a simple way to improve the OLS estimation of tail exponents, Journal of
// Business and Economic Statistics 29 (2011) 24-39, equation 1.2 and theorem 1. Known value: values
// c (i - 1/2)^(-1/a) have the index a.
#include "stat/log_log_tail.h"

#include <math.h>

struct tail_index log_log_tail(const struct tail *tail, double level)
{
	const double count = (double)tail->k;
	double mean_x = 0, mean_y = 0, sxx = 0, sxy = 0, index;

	for (size_t i = 1; i <= tail->k; i++) {
		mean_x += log(tail_value(tail, i)) / count;
		mean_y += log((double)i - 0.5) / count;
	}
	for (size_t i = 1; i <= tail->k; i++) {
		const double x = log(tail_value(tail, i)) - mean_x;

		sxx += x * x;
		sxy += x * (log((double)i - 0.5) - mean_y);
	}
	index = sxx > 0 ? -sxy / sxx : NAN;
	return tail_index_make(index, index * sqrt(2 / count), level);
}
