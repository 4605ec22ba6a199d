// SPDX-License-Identifier: GPL-3.0-or-later
// A sine whose frequency lies d ordinates beside an ordinate raises it by sinc^2(d) of its power, and twice the ordinate over
// its level is chi-squared with 2 degrees of freedom and twice that as noncentrality (N. L. Johnson, S. Kotz and
// N. Balakrishnan, Continuous Univariate Distributions 2 (1995), chapter 29): a sum over a Poisson number of central ones. The
// test divides by the mean of NEAR ordinates, which is gamma and which the sine's own leakage raises. Both ordinates next to
// the frequency may be found; all is averaged over d and that mean. Known value: without a sine one ordinate has the level of
// the test over their number.
#include "stat/period_power.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>

#include "stat/fisher_g.h"
#include "stat/verdict.h"

#define OFFSETS 8 // d, evenly from 0 to a half
#define MEANS 16  // quantiles of the mean, as Wilson and Hilferty give them
#define NEAR (2.0 * (PERIODS_NEAR_LAST - PERIODS_NEAR_FIRST + 1))
#define TERMS_MAX 100000
#define STEPS 40

// P(X > 2 y), X noncentral chi-squared with 2 degrees of freedom and noncentrality 2 line.
static double noncentral_tail(double line, double y)
{
	double weight = exp(-line), weights = weight, term = exp(-y), tail = term, sum = weight * tail;

	for (int k = 1; k < TERMS_MAX && (k <= line || weights < 1 - 1e-9); k++) {
		weight *= line / k;
		weights += weight;
		term *= y / k;
		tail += term;
		sum += weight * tail;
	}
	return sum + fmax(0, 1 - weights);
}

static double squared_sinc(double d)
{
	const double angle = M_PI * d;

	return d == 0 ? 1 : sin(angle) * sin(angle) / (angle * angle);
}

// The share of a sine's power in the ordinates that make the level of the one d beside it.
static double leakage(double d)
{
	double sum = 0;

	for (int k = PERIODS_NEAR_FIRST; k <= PERIODS_NEAR_LAST; k++)
		sum += squared_sinc(k - d) + squared_sinc(k + d);
	return sum;
}

// The ordinate of mean 1 at which g of q has the level of the test.
static double critical(size_t q)
{
	double low = 0, high = 1;

	for (int step = 0; step < STEPS; step++) {
		const double g = (low + high) / 2;

		*(fisher_g_p(g, q) > VERDICT_LEVEL / 2 ? &low : &high) = g;
	}
	return high < 1 ? high / (1 - high) * ((double)q - 1) : INFINITY;
}

// As period_power, for a critical ratio to the mean of NEAR ordinates.
static double power_at(double line, double ratio)
{
	double sum = 0;

	for (int i = 0; i < OFFSETS; i++) {
		const double d = 0.5 * (i + 0.5) / OFFSETS;
		const double near = line * squared_sinc(d), far = line * squared_sinc(1 - d), leaks = line * leakage(d) / NEAR;

		for (int m = 0; m < MEANS; m++) {
			const double z = gsl_cdf_ugaussian_Pinv((m + 0.5) / MEANS);
			const double level = pow(1 - 1 / (9 * NEAR) + z / (3 * sqrt(NEAR)), 3) + leaks;

			sum += 1 - (1 - noncentral_tail(near, ratio * level)) * (1 - noncentral_tail(far, ratio * level));
		}
	}
	return sum / (OFFSETS * MEANS);
}

static double critical_ratio(size_t q)
{
	return NEAR * expm1(critical(q) / NEAR);
}

double period_power(double line, size_t q)
{
	return power_at(line, critical_ratio(q));
}

struct period_least period_least(const struct periods *periods)
{
	const double ratio = critical_ratio(periods->ordinates);
	double low = 0, high = 1;

	while (high < 1e6 && power_at(high, ratio) < PERIOD_POWER)
		high *= 2;
	for (int step = 0; step < STEPS / 2; step++) {
		const double line = (low + high) / 2;

		*(power_at(line, ratio) < PERIOD_POWER ? &low : &high) = line;
	}
	return (struct period_least){.usual = high * periods->usual_level / (1 + high * periods->usual_level),
				     .most = high * periods->most_level / (1 + high * periods->most_level)};
}

void period_say_none(char *text, size_t bytes, const struct periods *periods)
{
	const struct period_least least = period_least(periods);
	char strongest[64] = "";

	if (least.most > 2 * least.usual)
		(void)snprintf(strongest, sizeof(strongest), " (%.2g %% where the series is strongest)", 100 * least.most);
	(void)snprintf(
		text, bytes,
		"no period that came %d times and more stands out; a sine of %.2g %% of the variance would in %.0f of 10 "
		"series%s",
		COMB_CYCLES_MIN, 100 * least.usual, 10 * PERIOD_POWER, strongest);
}
