// SPDX-License-Identifier: GPL-3.0-or-later
// Stephens, EDF statistics for goodness of fit and some comparisons, Journal of the American Statistical
// Association 69 (1974) 730-737, case 4; the value is that of the later table of D'Agostino and Stephens,
// Goodness-of-Fit Techniques (1986), as SciPy has it: 0.922, 1.078, 1.341, 1.606, 1.957 for 15, 10, 5, 2.5 and
// 1 in 100.
#include "stat/anderson_darling.h"

#include <math.h>

double anderson_darling_exponential(const double *rising, size_t n)
{
	const double count = (double)n;
	double mean = 0, sum = 0;

	for (size_t i = 0; i < n; i++)
		mean += rising[i] / count;
	if (!(mean > 0))
		return NAN;
	// ln(1 - F) is -x / mean: formed from F it would be infinite for large x.
	for (size_t i = 0; i < n; i++)
		sum += (2 * (double)i + 1) * (log(-expm1(-rising[i] / mean)) - rising[n - 1 - i] / mean);
	return (-count - sum / count) * (1 + 0.6 / count);
}
