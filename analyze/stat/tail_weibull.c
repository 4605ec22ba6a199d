// SPDX-License-Identifier: GPL-3.0-or-later
// Weibull's law beyond a threshold, P(Y > y) = exp(b^-c - (y / b)^c). Malevergne, Pisarenko and Sornette, Empirical
// distributions of stock returns, Quantitative Finance 5 (2005) 379-401, equation 13: with a = b^-c it is
// a = k / sum(y^c - 1) for given c, and c = 0 is Pareto's law, c = 1 the exponential one.
#include <math.h>

#include "stat/minimum.h"
#include "stat/tail_law.h"

#define SHAPE_MIN 0.01
#define SHAPE_MAX 20.0
#define PRECISION 1e-9

struct sample {
	const double *y;
	size_t k;
	double logs; // sum of log y
};

// a = k / sum of (y^c - 1)
static double rate_for(const struct sample *sample, double shape)
{
	double sum = 0;

	for (size_t i = 0; i < sample->k; i++)
		sum += expm1(shape * log(sample->y[i]));
	return (double)sample->k / sum;
}

// Minus the greatest likelihood for a shape.
static double loss(const void *context, double log_shape)
{
	const struct sample *sample = context;
	const double shape = exp(log_shape), count = (double)sample->k;

	return -count * (log(rate_for(sample, shape)) + log_shape) - (shape - 1) * sample->logs;
}

static bool fit(const double *y, size_t k, double *parameters)
{
	struct sample sample = {y, k, 0};

	for (size_t i = 0; i < k; i++)
		sample.logs += log(y[i]);
	parameters[0] = exp(minimum_find(loss, &sample, log(SHAPE_MIN), log(SHAPE_MAX), PRECISION));
	parameters[1] = pow(rate_for(&sample, parameters[0]), -1 / parameters[0]);
	return parameters[0] > 1.5 * SHAPE_MIN && parameters[0] < 0.99 * SHAPE_MAX;
}

static double log_density(double y, const double *parameters)
{
	const double shape = parameters[0], log_rate = -shape * log(parameters[1]), log_y = log(y);

	return log_rate + log(shape) + (shape - 1) * log_y - exp(log_rate) * expm1(shape * log_y);
}

const struct tail_law tail_weibull = {
	.name = "weibull",
	.paper = "Malevergne, Pisarenko, Sornette 2005, equation 13",
	.heavy = false,
	.parameters = 2,
	.another_at_edge = true,
	.parameter_names = {"shape", "scale"},
	.units = {TAIL_UNIT_NONE, TAIL_UNIT_VALUE},
	.fit = fit,
	.log_density = log_density,
};
