// SPDX-License-Identifier: GPL-3.0-or-later
// Greenwood, The statistical study of infectious diseases, Journal of the Royal Statistical Society 109 (1946) 85-110; its
// moments are those of Dirichlet's law (Moran, Journal of the Royal Statistical Society B 9 (1947) 92-98). The law is skewed
// even for thousands of values: a lognormal one of its three moments is as far as simulations can tell the same.
#include "stat/greenwood.h"

#include <math.h>

double greenwood_p(double g, double count)
{
	const double m = count, two = (m + 1) * (m + 2) * (m + 3);
	const double mean = 2 / (m + 1), second = (24 + 4 * (m - 1)) / two;
	const double third = (720 + 144 * (m - 1) + 8 * (m - 1) * (m - 2)) / (two * (m + 4) * (m + 5));
	const double variance = second - mean * mean;
	const double skew = (third - 3 * mean * second + 2 * mean * mean * mean) / pow(variance, 1.5);
	// exp(sigma^2) of the lognormal law with this skewness.
	const double root = cbrt(1 + skew * skew / 2 + skew * sqrt(1 + skew * skew / 4));
	const double spread = root + 1 / root - 1, sigma2 = log(spread);
	const double mu = -0.5 * log(spread * (spread - 1));
	const double y = (g - mean) / sqrt(variance) + exp(mu + sigma2 / 2);

	return y > 0 ? 0.5 * erfc((log(y) - mu) / sqrt(2 * sigma2)) : 1;
}
