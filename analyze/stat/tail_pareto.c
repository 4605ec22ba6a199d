// SPDX-License-Identifier: GPL-3.0-or-later
// Pareto's law, P(Y > y) = y^-a. Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions 1 (1994),
// equation 20.37: a = 1 / mean log y. Known value: of y = e, e^2, e^3 it is 1/2.
#include <math.h>

#include "stat/tail_law.h"

static bool fit(const double *y, size_t k, double *parameters)
{
	double sum = 0;

	for (size_t i = 0; i < k; i++)
		sum += log(y[i]);
	parameters[0] = (double)k / sum;
	return true;
}

static double log_density(double y, const double *parameters)
{
	return log(parameters[0]) - (parameters[0] + 1) * log(y);
}

const struct tail_law tail_pareto = {
	.name = "pareto",
	.paper = "Johnson, Kotz, Balakrishnan 1994, equation 20.37",
	.heavy = true,
	.parameters = 1,
	.parameter_names = {"index"},
	.units = {TAIL_UNIT_NONE},
	.fit = fit,
	.log_density = log_density,
};
