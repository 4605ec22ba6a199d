// SPDX-License-Identifier: GPL-3.0-or-later
// Lo, Long-term memory in stock market prices, Econometrica 59 (1991) 1279-1313, equations 3.6 to 3.9, table II; V/S:
// Giraitis, Kokoszka, Leipus and Teyssiere, Rescaled variance and related tests for long memory in volatility and
// levels, Journal of Econometrics 112 (2003) 265-294, equations 1.5 and 2.10. Known values: 95 in 100 lie
// between .809 and 1.862; V/S is below .1869.
#include "stat/lo_rescaled_range.h"

#include <math.h>

#include "stat/brownian_bridge.h"
#include "stat/long_run_variance.h"

struct lo_rescaled_range lo_rescaled_range_test(const double *x, size_t n, size_t lags)
{
	const double count = (double)n;
	struct lo_rescaled_range out = {lags > 0 ? lags : long_run_lags_andrews(x, n), NAN, NAN, NAN, NAN, NAN};
	double mean = 0, sum = 0, lowest = INFINITY, highest = -INFINITY, sums = 0, squares = 0, variance, below;

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
