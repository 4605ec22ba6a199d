// SPDX-License-Identifier: GPL-3.0-or-later
// Newey and West, A simple, positive semi-definite, heteroskedasticity and autocorrelation consistent covariance
// matrix, Econometrica 55 (1987) 703-708; lags: Andrews, Heteroskedasticity and autocorrelation consistent covariance
// matrix estimation, Econometrica 59 (1991) 817-858, as Lo, Econometrica 59 (1991) 1279-1313, equation 3.9 has it;
// Schwert, Journal of Business and Economic Statistics 7 (1989) 147-159 for the fourth root.
#include "stat/long_run_variance.h"

#include <math.h>

// Summed from the first point on, so that a constant series has exactly its value.
static double mean_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] - x[0];
	return x[0] + sum / (double)n;
}

// Autocovariance at a lag, divisor n.
static double covariance(const double *x, size_t n, double mean, size_t lag)
{
	double sum = 0;

	for (size_t i = lag; i < n; i++)
		sum += (x[i] - mean) * (x[i - lag] - mean);
	return sum / (double)n;
}

// Bartlett's weights are those of the squared sums of lags + 1 neighbours, over all places where such a window meets the
// series.
double long_run_variance(const double *x, size_t n, size_t lags)
{
	const double mean = mean_of(x, n);
	double window = 0, squares = 0;

	if (lags >= n)
		lags = n - 1;
	for (size_t end = 0; end < n + lags; end++) {
		if (end < n)
			window += x[end] - mean;
		if (end > lags)
			window -= x[end - lags - 1] - mean;
		squares += window * window;
	}
	return squares / ((double)n * (double)(lags + 1));
}

size_t long_run_lags_andrews(const double *x, size_t n)
{
	const double mean = mean_of(x, n), variance = covariance(x, n, mean, 0);
	const double rho = variance > 0 ? fabs(covariance(x, n, mean, 1) / variance) : 0;
	const double lags = cbrt(1.5 * (double)n) * pow(2 * rho / (1 - rho * rho), 2.0 / 3);

	return (size_t)fmin((double)(n - 1), floor(lags));
}

size_t long_run_lags_fourth_root(size_t n, double factor)
{
	return (size_t)floor(factor * sqrt(sqrt((double)n / 100)));
}
