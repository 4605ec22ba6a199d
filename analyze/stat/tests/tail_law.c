// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/tests/heavy_tail.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_erf.h>
#include <math.h>

#include "stat/spectra/minimum.h"

// ---- Pareto's law
// Pareto's law, P(Y > y) = y^-a. Johnson, Kotz and Balakrishnan, Continuous Univariate
// Distributions 1 (1994): a = 1 / mean log y. Known value: of y = e, e^2, e^3 it is 1/2.

static bool pareto_fit(const double *y, size_t k, double *parameters)
{
	double sum = 0;

	for (size_t i = 0; i < k; i++)
		sum += log(y[i]);
	parameters[0] = (double)k / sum;
	return true;
}

static double pareto_log_density(double y, const double *parameters)
{
	return log(parameters[0]) - (parameters[0] + 1) * log(y);
}

const struct tail_law tail_pareto = {
	.name = "pareto",
	.heavy = true,
	.parameters = 1,
	.parameter_names = {"index"},
	.units = {TAIL_UNIT_NONE},
	.fit = pareto_fit,
	.log_density = pareto_log_density,
};

// ---- the generalised Pareto law
// The generalised Pareto law, P(Y > y) = (1 + g (y - 1) / s)^(-1/g), g > 0: a power law far out, of
// index 1/g, that bends near the threshold. Grimshaw, Computing maximum likelihood estimates for
// the generalized Pareto distribution, Technometrics 35 (1993) 185-191: for given r = g / s it is g
// = mean log(1 + r (y - 1)).

#define THRESHOLD_SHARE \
	20 // more than one value in this many at the threshold, as in counts, makes the likelihood
	   // grow without end
#define RATE_RANGE 20.0 // natural logs, to both sides of 1 / mean log
#define INDEX_MIN 1e-3
#define GENERALISED_PRECISION 1e-9

struct generalised_sample {
	const double *y;
	size_t k;
};

static double index_for(const struct generalised_sample *sample, double rate)
{
	double sum = 0;

	for (size_t i = 0; i < sample->k; i++)
		sum += log1p(rate * (sample->y[i] - 1));
	return sum / (double)sample->k;
}

// Minus the greatest mean likelihood for a rate.
static double generalised_loss(const void *context, double log_rate)
{
	const double index = index_for(context, exp(log_rate));

	return log(index) - log_rate + index;
}

static bool generalised_fit(const double *y, size_t k, double *parameters)
{
	const struct generalised_sample sample = {y, k};
	double sum = 0, centre, log_rate;
	size_t at_threshold = 0;

	for (size_t i = 0; i < k; i++) {
		sum += log(y[i]);
		at_threshold += y[i] <= 1;
	}
	centre = log((double)k / sum);
	log_rate = minimum_find(generalised_loss, &sample, centre - RATE_RANGE, centre + RATE_RANGE,
				GENERALISED_PRECISION);
	parameters[0] = index_for(&sample, exp(log_rate));
	parameters[1] = parameters[0] * exp(-log_rate);
	return at_threshold * THRESHOLD_SHARE <= k && parameters[0] > INDEX_MIN &&
	       log_rate < centre + 0.99 * RATE_RANGE;
}

static double generalised_log_density(double y, const double *parameters)
{
	return -log(parameters[1]) -
	       (1 + 1 / parameters[0]) * log1p(parameters[0] / parameters[1] * (y - 1));
}

const struct tail_law tail_generalised_pareto = {
	.name = "generalised-pareto",
	.heavy = true,
	.parameters = 2,
	.parameter_names = {"gamma", "scale"},
	.units = {TAIL_UNIT_NONE, TAIL_UNIT_VALUE},
	.fit = generalised_fit,
	.log_density = generalised_log_density,
};

// ---- the lognormal law
// The lognormal law beyond a threshold: log y is normal, cut at 0. Cohen, Estimating the mean and
// variance of normal populations from singly truncated samples, Annals of Mathematical Statistics
// 21 (1950) 557-569: mean and mean square of log y over the threshold are those of the law. Their
// ratio rises from 1 to 2 with the cut's place t in deviations above the mean; where the sample has
// more, Pareto's law fits best, to which it then tends (del Castillo and Puig, Journal of the
// American Statistical Association 94 (1999) 529-532).

#define CUT_MIN (-40.0)
#define CUT_MAX 1000.0
#define CUT_PARETO \
	30.0 // beyond, log y is nearly exponential, as for Pareto's law: only mu / sigma^2 is known
#define STEPS 200

// Mean of W - t over W > t, W standard normal.
static double mean_excess(double t)
{
	// Below the asymptotic series' first neglected term where the difference loses digits.
	if (t > 100)
		return (1 - 2 / (t * t) + 10 / (t * t * t * t)) / t;
	if (t < -30) // the hazard is below 1e-195
		return -t;
	return gsl_sf_hazard(t) - t;
}

// Mean of (W - t)^2 over that of W - t, squared.
static double tail_law_ratio_at(double t)
{
	const double mean = mean_excess(t);

	if (t > 100)
		return 2 - 2 / (t * t);
	return (1 - t * mean) / (mean * mean);
}

static bool lognormal_fit(const double *y, size_t k, double *parameters)
{
	double first = 0, second = 0, low = CUT_MIN, high = CUT_MAX, ratio;

	for (size_t i = 0; i < k; i++) {
		const double z = log(y[i]);

		first += z / (double)k;
		second += z * z / (double)k;
	}
	ratio = second / (first * first);
	for (int i = 0; i < STEPS && high - low > 1e-13 * fabs(low); i++) {
		const double middle = (low + high) / 2;

		if (tail_law_ratio_at(middle) < ratio)
			low = middle;
		else
			high = middle;
	}
	parameters[1] = first / mean_excess(low);
	parameters[0] = -low * parameters[1];
	return low > CUT_MIN && low < CUT_PARETO;
}

static double lognormal_log_density(double y, const double *parameters)
{
	const double log_y = log(y), off = (log_y - parameters[0]) / parameters[1];

	return -log(parameters[1]) - 0.5 * log(2 * M_PI) - 0.5 * off * off - log_y -
	       (gsl_sf_log_erfc(-parameters[0] / parameters[1] * M_SQRT1_2) - M_LN2);
}

const struct tail_law tail_lognormal = {
	.name = "lognormal",
	.heavy = false,
	.parameters = 2,
	.another_at_edge = true,
	.parameter_names = {"mu", "sigma"},
	.units = {TAIL_UNIT_LOG, TAIL_UNIT_NONE},
	.fit = lognormal_fit,
	.log_density = lognormal_log_density,
};

// ---- Weibull's law
// Weibull's law beyond a threshold, P(Y > y) = exp(b^-c - (y / b)^c). Malevergne, Pisarenko and
// Sornette, Empirical distributions of stock returns, Quantitative Finance 5 (2005) 379-401: with a
// = b^-c it is a = k / sum(y^c - 1) for given c, and c = 0 is Pareto's law, c = 1 the exponential
// one.

#define SHAPE_MIN 0.01
#define SHAPE_MAX 20.0
#define WEIBULL_PRECISION 1e-9

struct weibull_sample {
	const double *y;
	size_t k;
	double logs; // sum of log y
};

// a = k / sum of (y^c - 1)
static double rate_for(const struct weibull_sample *sample, double shape)
{
	double sum = 0;

	for (size_t i = 0; i < sample->k; i++)
		sum += expm1(shape * log(sample->y[i]));
	return (double)sample->k / sum;
}

// Minus the greatest likelihood for a shape.
static double weibull_loss(const void *context, double log_shape)
{
	const struct weibull_sample *sample = context;
	const double shape = exp(log_shape), count = (double)sample->k;

	return -count * (log(rate_for(sample, shape)) + log_shape) - (shape - 1) * sample->logs;
}

static bool weibull_fit(const double *y, size_t k, double *parameters)
{
	struct weibull_sample sample = {y, k, 0};

	for (size_t i = 0; i < k; i++)
		sample.logs += log(y[i]);
	parameters[0] = exp(minimum_find(weibull_loss, &sample, log(SHAPE_MIN), log(SHAPE_MAX),
					 WEIBULL_PRECISION));
	parameters[1] = pow(rate_for(&sample, parameters[0]), -1 / parameters[0]);
	return parameters[0] > 1.5 * SHAPE_MIN && parameters[0] < 0.99 * SHAPE_MAX;
}

static double weibull_log_density(double y, const double *parameters)
{
	const double shape = parameters[0], log_rate = -shape * log(parameters[1]), log_y = log(y);

	return log_rate + log(shape) + (shape - 1) * log_y - exp(log_rate) * expm1(shape * log_y);
}

const struct tail_law tail_weibull = {
	.name = "weibull",
	.heavy = false,
	.parameters = 2,
	.another_at_edge = true,
	.parameter_names = {"shape", "scale"},
	.units = {TAIL_UNIT_NONE, TAIL_UNIT_VALUE},
	.fit = weibull_fit,
	.log_density = weibull_log_density,
};

// ---- the exponential law
// The exponential law beyond a threshold, P(Y > y) = exp(-(y - 1) / s) (Johnson, Kotz and
// Balakrishnan 1994). Known value: of y = 2, 3, 4 the mean s is 2.

static bool exponential_fit(const double *y, size_t k, double *parameters)
{
	double sum = 0;

	for (size_t i = 0; i < k; i++)
		sum += y[i] - 1;
	parameters[0] = sum / (double)k;
	return true;
}

static double exponential_log_density(double y, const double *parameters)
{
	return -log(parameters[0]) - (y - 1) / parameters[0];
}

const struct tail_law tail_exponential = {
	.name = "exponential",
	.heavy = false,
	.parameters = 1,
	.parameter_names = {"mean"},
	.units = {TAIL_UNIT_VALUE},
	.fit = exponential_fit,
	.log_density = exponential_log_density,
};

#define STEP 1e-4

const struct tail_law *const tail_laws[] = {
	&tail_pareto,  &tail_generalised_pareto, &tail_lognormal,
	&tail_weibull, &tail_exponential,	 NULL,
};

static double log_likelihood(const struct tail_law *law, const double *y, size_t k,
			     const double *parameters)
{
	double sum = 0;

	for (size_t i = 0; i < k; i++)
		sum += law->log_density(y[i], parameters);
	return sum;
}

// The likelihood with parameters i and j moved by di and dj steps.
static double moved(const struct tail_fit *fit, const double *y, size_t k, size_t i, double di,
		    size_t j, double dj)
{
	double parameters[TAIL_LAW_PARAMETERS_MAX] = {fit->parameters[0], fit->parameters[1]};

	parameters[i] += di;
	parameters[j] += dj;
	return log_likelihood(fit->law, y, k, parameters);
}

static double curvature(const struct tail_fit *fit, const double *y, size_t k, size_t i, double h)
{
	return -(moved(fit, y, k, i, h, i, 0) - 2 * fit->log_likelihood +
		 moved(fit, y, k, i, -h, i, 0)) /
	       (h * h);
}

// Errors from the inverse of the second derivatives, computed by differences.
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

bool tail_fit_unbounded(const struct tail_fit *fit)
{
	return !fit->inside && fit->law == &tail_generalised_pareto && fit->parameters[0] > 1;
}

double tail_fit_parameter(const struct tail_fit *fit, size_t i, double threshold)
{
	if (!fit->inside && (fit->law->another_at_edge || tail_fit_unbounded(fit)))
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

// ---- Vuong's test
// Vuong, Likelihood ratio tests for model selection and non-nested hypotheses, Econometrica 57
// (1989) 307-333.

#define SAME 1e-12 // of a log density: laws that differ by less are the same

struct vuong vuong_compare(const struct tail_fit *first, const struct tail_fit *second,
			   const double *y, size_t k)
{
	const double count = (double)k;
	double mean = 0, squares = 0, corrected;
	struct vuong out = {NAN, NAN};

	for (size_t i = 0; i < k; i++) {
		const double difference = first->law->log_density(y[i], first->parameters) -
					  second->law->log_density(y[i], second->parameters);
		const double off = difference - mean;

		mean += off / (double)(i + 1);
		squares += off * (difference - mean);
	}
	if (!(squares > count * SAME * SAME))
		return out;
	corrected = count * mean -
		    ((double)first->law->parameters - (double)second->law->parameters);
	out.z = corrected / sqrt(squares);
	out.p = 2 * gsl_cdf_ugaussian_P(-fabs(out.z));
	return out;
}
