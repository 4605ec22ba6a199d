// SPDX-License-Identifier: GPL-3.0-or-later
// The lognormal law beyond a threshold: log y is normal, cut at 0. Cohen, Estimating the mean and variance of normal
// populations from singly truncated samples, Annals of Mathematical Statistics 21 (1950) 557-569: mean and mean
// square of log y over the threshold are those of the law. Their ratio rises from 1 to 2 with the cut's place t in
// deviations above the mean; where the sample has more, Pareto's law fits best, to which it then tends (del Castillo and
// Puig, Journal of the American Statistical Association 94 (1999) 529-532).
#include <gsl/gsl_sf_erf.h>
#include <math.h>

#include "stat/tail_law.h"

#define CUT_MIN (-40.0)
#define CUT_MAX 1000.0
#define CUT_PARETO 30.0 // beyond, log y is all but exponential, as of Pareto's law: only mu / sigma^2 is known
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
static double ratio_at(double t)
{
	const double mean = mean_excess(t);

	if (t > 100)
		return 2 - 2 / (t * t);
	return (1 - t * mean) / (mean * mean);
}

static bool fit(const double *y, size_t k, double *parameters)
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

		if (ratio_at(middle) < ratio)
			low = middle;
		else
			high = middle;
	}
	parameters[1] = first / mean_excess(low);
	parameters[0] = -low * parameters[1];
	return low > CUT_MIN && low < CUT_PARETO;
}

static double log_density(double y, const double *parameters)
{
	const double log_y = log(y), off = (log_y - parameters[0]) / parameters[1];

	return -log(parameters[1]) - 0.5 * log(2 * M_PI) - 0.5 * off * off - log_y -
	       (gsl_sf_log_erfc(-parameters[0] / parameters[1] * M_SQRT1_2) - M_LN2);
}

const struct tail_law tail_lognormal = {
	.name = "lognormal",
	.paper = "Cohen 1950",
	.heavy = false,
	.parameters = 2,
	.another_at_edge = true,
	.parameter_names = {"mu", "sigma"},
	.units = {TAIL_UNIT_LOG, TAIL_UNIT_NONE},
	.fit = fit,
	.log_density = log_density,
};
