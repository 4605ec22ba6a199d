// SPDX-License-Identifier: GPL-3.0-or-later
// Known answers: n - 1 gaps of 0 and one above give 1 in the finite form, equal gaps -1 in both.
#include "stat/goh_barabasi.h"

#include <math.h>

// Coefficient of variation with divisor n.
static double variation(const struct moments *gaps)
{
	const double mean = moments_mean(gaps);

	return mean > 0 ? sqrt(moments_deviations(gaps) / (double)gaps->n) / mean : NAN;
}

double goh_barabasi(const struct moments *gaps)
{
	const double r = variation(gaps);

	return (r - 1) / (r + 1);
}

double goh_barabasi_finite(const struct moments *gaps)
{
	const double r = variation(gaps), n = (double)gaps->n;

	if (gaps->n < 2)
		return NAN;
	return (sqrt(n + 1) * r - sqrt(n - 1)) / ((sqrt(n + 1) - 2) * r + sqrt(n - 1));
}
