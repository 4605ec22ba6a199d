// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/tail_law.h"

#include <math.h>

#define STEP 1e-4

const struct tail_law *const tail_laws[] = {
	&tail_pareto, &tail_generalised_pareto, &tail_lognormal, &tail_weibull, &tail_exponential, NULL,
};

static double log_likelihood(const struct tail_law *law, const double *y, size_t k, const double *parameters)
{
	double sum = 0;

	for (size_t i = 0; i < k; i++)
		sum += law->log_density(y[i], parameters);
	return sum;
}

// The likelihood with parameters i and j moved by so many steps.
static double moved(const struct tail_fit *fit, const double *y, size_t k, size_t i, double di, size_t j, double dj)
{
	double parameters[TAIL_LAW_PARAMETERS_MAX] = {fit->parameters[0], fit->parameters[1]};

	parameters[i] += di;
	parameters[j] += dj;
	return log_likelihood(fit->law, y, k, parameters);
}

static double curvature(const struct tail_fit *fit, const double *y, size_t k, size_t i, double h)
{
	return -(moved(fit, y, k, i, h, i, 0) - 2 * fit->log_likelihood + moved(fit, y, k, i, -h, i, 0)) / (h * h);
}

// Errors by the inverse of the second derivatives, which are taken as differences.
static void find_errors(struct tail_fit *fit, const double *y, size_t k)
{
	double h[TAIL_LAW_PARAMETERS_MAX], own[TAIL_LAW_PARAMETERS_MAX], cross, determinant;

	for (size_t i = 0; i < fit->law->parameters; i++) {
		h[i] = STEP * fmax(fabs(fit->parameters[i]), STEP);
		own[i] = curvature(fit, y, k, i, h[i]);
		fit->se[i] = 1 / sqrt(own[i]);
	}
	if (fit->law->parameters == 1)
		return;
	cross = -(moved(fit, y, k, 0, h[0], 1, h[1]) - moved(fit, y, k, 0, h[0], 1, -h[1]) -
		  moved(fit, y, k, 0, -h[0], 1, h[1]) + moved(fit, y, k, 0, -h[0], 1, -h[1])) /
		(4 * h[0] * h[1]);
	determinant = own[0] * own[1] - cross * cross;
	fit->se[0] = sqrt(own[1] / determinant);
	fit->se[1] = sqrt(own[0] / determinant);
}

struct tail_fit tail_fit_make(const struct tail_law *law, const double *y, size_t k)
{
	struct tail_fit fit = {.law = law, .se = {NAN, NAN}};

	fit.inside = law->fit(y, k, fit.parameters);
	fit.log_likelihood = log_likelihood(law, y, k, fit.parameters);
	fit.aic = 2 * (double)law->parameters - 2 * fit.log_likelihood;
	if (fit.inside)
		find_errors(&fit, y, k);
	return fit;
}

double tail_fit_parameter(const struct tail_fit *fit, size_t i, double threshold)
{
	if (!fit->inside && fit->law->another_at_edge)
		return NAN;
	switch (fit->law->units[i]) {
	case TAIL_UNIT_VALUE: return fit->parameters[i] * threshold;
	case TAIL_UNIT_LOG: return fit->parameters[i] + log(threshold);
	default: return fit->parameters[i];
	}
}

double tail_fit_se(const struct tail_fit *fit, size_t i, double threshold)
{
	return fit->law->units[i] == TAIL_UNIT_VALUE ? fit->se[i] * threshold : fit->se[i];
}
