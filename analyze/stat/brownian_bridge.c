// SPDX-License-Identifier: GPL-3.0-or-later
// Square: Anderson and Darling, Asymptotic theory of certain goodness of fit criteria based on stochastic processes, Annals
// of Mathematical Statistics 23 (1952) 193-212, equation 4.35; .34730, .46136 and .74346 at 90, 95 and 99 in 100.
// Range: Kuiper, Proceedings of the Koninklijke Nederlandse Akademie van Wetenschappen A 63 (1960) 38-47; .809, 1.747
// and 1.862 at 2.5, 95 and 97.5 in 100. Variance: Watson, Biometrika 48 (1961) 109-114; .152, .187 and .268 at 90, 95 and
// 99 in 100.
#include "stat/brownian_bridge.h"

#include <gsl/gsl_sf_bessel.h>
#include <math.h>

#define SQUARE_TERMS 60
#define TERMS 50

double bridge_square_cdf(double x)
{
	double sum = 0, binomial = 1; // Gamma(j + 1/2) / (Gamma(1/2) j!)

	if (!(x > 0))
		return 0;
	for (int j = 0; j < SQUARE_TERMS; j++) {
		const double odd = 4 * j + 1, argument = odd * odd / (16 * x);

		if (argument > 300)
			break;
		sum += binomial * sqrt(odd) * exp(-2 * argument) * gsl_sf_bessel_Knu_scaled(0.25, argument);
		binomial *= (j + 0.5) / (j + 1);
	}
	return fmin(1, sum / (M_PI * sqrt(x)));
}

double bridge_range_cdf(double x)
{
	double sum = 1;

	if (!(x > 0.2)) // below 1e-11, where the series needs many terms
		return 0;
	for (int k = 1; k <= TERMS; k++) {
		const double square = k * k * x * x;

		sum += 2 * (1 - 4 * square) * exp(-2 * square);
	}
	return fmin(1, fmax(0, sum));
}

double bridge_variance_cdf(double x)
{
	double sum = 1;

	if (!(x > 0.003)) // as above
		return 0;
	for (int k = 1; k <= TERMS; k++)
		sum += (k % 2 ? -2 : 2) * exp(-2 * M_PI * M_PI * k * k * x);
	return fmin(1, fmax(0, sum));
}
