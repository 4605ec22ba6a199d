// SPDX-License-Identifier: GPL-3.0-or-later
// The generalised Pareto law, P(Y > y) = (1 + g (y - 1) / s)^(-1/g), g > 0: a power law far out, of index 1/g, that
// bends near the threshold. Grimshaw, Computing maximum likelihood estimates for the generalized Pareto
// distribution, Technometrics 35 (1993) 185-191: for given r = g / s it is g = mean log(1 + r (y - 1)).
#include <math.h>

#include "stat/minimum.h"
#include "stat/tail_law.h"

#define RATE_RANGE 20.0 // natural logs, to both sides of 1 / mean log
#define INDEX_MIN 1e-3
#define PRECISION 1e-9

struct sample {
	const double *y;
	size_t k;
};

static double index_for(const struct sample *sample, double rate)
{
	double sum = 0;

	for (size_t i = 0; i < sample->k; i++)
		sum += log1p(rate * (sample->y[i] - 1));
	return sum / (double)sample->k;
}

// Minus the greatest mean likelihood for a rate.
static double loss(const void *context, double log_rate)
{
	const double index = index_for(context, exp(log_rate));

	return log(index) - log_rate + index;
}

static bool fit(const double *y, size_t k, double *parameters)
{
	const struct sample sample = {y, k};
	double sum = 0, centre, log_rate;

	for (size_t i = 0; i < k; i++)
		sum += log(y[i]);
	centre = log((double)k / sum);
	log_rate = minimum_find(loss, &sample, centre - RATE_RANGE, centre + RATE_RANGE, PRECISION);
	parameters[0] = index_for(&sample, exp(log_rate));
	parameters[1] = parameters[0] * exp(-log_rate);
	return parameters[0] > INDEX_MIN && log_rate < centre + 0.99 * RATE_RANGE;
}

static double log_density(double y, const double *parameters)
{
	return -log(parameters[1]) - (1 + 1 / parameters[0]) * log1p(parameters[0] / parameters[1] * (y - 1));
}

const struct tail_law tail_generalised_pareto = {
	.name = "generalised-pareto",
	.paper = "Grimshaw 1993",
	.heavy = true,
	.parameters = 2,
	.parameter_names = {"gamma", "scale"},
	.units = {TAIL_UNIT_NONE, TAIL_UNIT_VALUE},
	.fit = fit,
	.log_density = log_density,
};
