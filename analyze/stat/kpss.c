// SPDX-License-Identifier: GPL-3.0-or-later
// Kwiatkowski, Phillips, Schmidt and Shin, Testing the null hypothesis of stationarity against the alternative of a unit
// root, Journal of Econometrics 54 (1992) 159-178, equations 10 to 14. Known value: the Nile's flow, see
// tests/unit/stat_stationarity_test.c.
#include "stat/kpss.h"

#include <math.h>

#include "stat/brownian_bridge.h"
#include "stat/long_run_variance.h"

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
