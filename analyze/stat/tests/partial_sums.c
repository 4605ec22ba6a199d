// SPDX-License-Identifier: GPL-3.0-or-later
// Tests by the partial sums of a series.
#include "stat/tests/partial_sums.h"

#include <gsl/gsl_sf_bessel.h>
#include <math.h>

// ---- the long-run variance
// Newey and West, A simple, positive semi-definite, heteroskedasticity and autocorrelation
// consistent covariance matrix, Econometrica 55 (1987) 703-708; lags: Andrews, Heteroskedasticity
// and autocorrelation consistent covariance matrix estimation, Econometrica 59 (1991) 817-858, as
// Lo, Econometrica 59 (1991) 1279-1313 has it; Schwert, Journal of Business and Economic Statistics
// 7 (1989) 147-159 for the fourth root.

// Summed from the first point on, so that a constant series has exactly its value.
static double partial_sums_mean_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] - x[0];
	return x[0] + sum / (double)n;
}

// Autocovariance at a lag, divisor n.
static double partial_sums_covariance(const double *x, size_t n, double mean, size_t lag)
{
	double sum = 0;

	for (size_t i = lag; i < n; i++)
		sum += (x[i] - mean) * (x[i - lag] - mean);
	return sum / (double)n;
}

// Bartlett's weights are those of the squared sums of lags + 1 neighbours, over all places where
// such a window meets the series.
double long_run_variance(const double *x, size_t n, size_t lags)
{
	const double mean = partial_sums_mean_of(x, n);
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

// The lags for a first-order autoregression with the series' lag-1 autocorrelation (Andrews 1991);
// at most n - 1.
static size_t long_run_lags_andrews(const double *x, size_t n)
{
	const double mean = partial_sums_mean_of(x, n),
		     variance = partial_sums_covariance(x, n, mean, 0);
	const double rho = variance > 0 ? fabs(partial_sums_covariance(x, n, mean, 1) / variance)
					: 0;
	const double lags = cbrt(1.5 * (double)n) * pow(2 * rho / (1 - rho * rho), 2.0 / 3);

	return (size_t)fmin((double)(n - 1), floor(lags));
}

size_t long_run_lags_fourth_root(size_t n, double factor)
{
	return (size_t)floor(factor * sqrt(sqrt((double)n / 100)));
}

// ---- laws of a Brownian bridge
// Square: Anderson and Darling, Asymptotic theory of certain goodness of fit criteria based on
// stochastic processes, Annals of Mathematical Statistics 23 (1952) 193-212; .34730, .46136 and
// .74346 at 90, 95 and 99 in 100.
// Range: Kuiper, Proceedings of the Koninklijke Nederlandse Akademie van Wetenschappen A 63 (1960)
// 38-47; .809, 1.747 and 1.862 at 2.5, 95 and 97.5 in 100. Variance: Watson, Biometrika 48 (1961)
// 109-114; .152, .187 and .268 at 90, 95 and 99 in 100.

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
		sum += binomial * sqrt(odd) * exp(-2 * argument) *
		       gsl_sf_bessel_Knu_scaled(0.25, argument);
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

// ---- KPSS
// Kwiatkowski, Phillips, Schmidt and Shin, Testing the null hypothesis of stationarity against the
// alternative of a unit root, Journal of Econometrics 54 (1992) 159-178. Known value: the Nile's
// flow, see tests/unit/stat_stationarity_test.c.

#define LAGS_FACTOR 12

struct kpss kpss_test(const double *x, size_t n, size_t lags)
{
	const double count = (double)n;
	struct kpss out = {lags > 0 ? lags : long_run_lags_fourth_root(n, LAGS_FACTOR), NAN, NAN};
	double mean = 0, sum = 0, squares = 0, variance;

	for (size_t i = 0; i < n; i++)
		mean += (x[i] - x[0]) / count;
	for (size_t i = 0; i < n; i++) {
		sum += x[i] - x[0] - mean;
		squares += sum * sum;
	}
	variance = long_run_variance(x, n, out.lags);
	if (!(variance > 0))
		return out;
	out.statistic = squares / (count * count * variance);
	out.p = 1 - bridge_square_cdf(out.statistic);
	return out;
}

// ---- Lo, and V/S
// Lo, Long-term memory in stock market prices, Econometrica 59 (1991) 1279-1313; V/S:
// Giraitis, Kokoszka, Leipus and Teyssiere, Rescaled variance and related tests for long memory in
// volatility and levels, Journal of Econometrics 112 (2003) 265-294. Known values: 95 in 100 lie
// between .809 and 1.862; V/S is below .1869.

struct lo_rescaled_range lo_rescaled_range_test(const double *x, size_t n, size_t lags)
{
	const double count = (double)n;
	struct lo_rescaled_range out = {
		lags > 0 ? lags : long_run_lags_andrews(x, n), NAN, NAN, NAN, NAN, NAN};
	double mean = 0, sum = 0, lowest = INFINITY, highest = -INFINITY, sums = 0, squares = 0,
	       variance, below;

	for (size_t i = 0; i < n; i++)
		mean += (x[i] - x[0]) / count;
	for (size_t i = 0; i < n; i++) {
		sum += x[i] - x[0] - mean;
		lowest = fmin(lowest, sum);
		highest = fmax(highest, sum);
		sums += sum / count;
		squares += sum * sum / count;
	}
	variance = long_run_variance(x, n, out.lags);
	if (!(variance > 0))
		return out;
	out.statistic = (highest - lowest) / sqrt(count * variance);
	below = bridge_range_cdf(out.statistic);
	out.p_above = 1 - below;
	out.p = 2 * fmin(below, 1 - below);
	out.rescaled_variance = (squares - sums * sums) / (count * variance);
	out.p_variance = 1 - bridge_variance_cdf(out.rescaled_variance);
	return out;
}
