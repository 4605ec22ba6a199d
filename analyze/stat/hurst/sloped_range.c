// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled for finite numbers only, which allows vector comparisons.
#include "stat/hurst/rescaled_range.h"

#include "stat/counts/widest.h"

WIDEST double sloped_range(const double *sums, int32_t m, double slope)
{
	double lowest = 0, highest = 0;

	for (int32_t i = 1; i <= m; i++) {
		const double at = sums[i] - sums[0] - (double)i * slope;

		lowest = at < lowest ? at : lowest;
		highest = at > highest ? at : highest;
	}
	return highest - lowest;
}
