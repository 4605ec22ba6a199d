// SPDX-License-Identifier: GPL-3.0-or-later
// The exponential law beyond a threshold, P(Y > y) = exp(-(y - 1) / s). Known value: of y = 2, 3, 4 the mean s is 2.
#include <math.h>

#include "stat/tail_law.h"

static bool fit(const double *y, size_t k, double *parameters)
{
	double sum = 0;

	for (size_t i = 0; i < k; i++)
		sum += y[i] - 1;
	parameters[0] = sum / (double)k;
	return true;
}

static double log_density(double y, const double *parameters)
{
	return -log(parameters[0]) - (y - 1) / parameters[0];
}

const struct tail_law tail_exponential = {
	.name = "exponential",
	.paper = "Johnson, Kotz, Balakrishnan 1994, equation 19.12",
	.heavy = false,
	.parameters = 1,
	.parameter_names = {"mean"},
	.units = {TAIL_UNIT_VALUE},
	.fit = fit,
	.log_density = log_density,
};
