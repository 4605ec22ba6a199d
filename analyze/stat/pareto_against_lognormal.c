// SPDX-License-Identifier: GPL-3.0-or-later
// Malevergne, Pisarenko and Sornette, Testing the Pareto against the lognormal distributions with the uniformly most
// powerful unbiased test applied to the distribution of cities, Physical Review E 83 (2011) 036111; del Castillo
// and Puig, The best test of exponentiality against singly truncated normal alternatives, Journal of the
// American Statistical Association 94 (1999) 529-532. For exponential values sqrt(k) (coefficient - 1) tends to the
// standard normal law.
#include "stat/pareto_against_lognormal.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

struct log_variation pareto_against_lognormal(const double *y, size_t k)
{
	double mean = 0, squares = 0;
	struct log_variation out;

	for (size_t i = 0; i < k; i++) {
		const double z = log(y[i]), off = z - mean;

		mean += off / (double)(i + 1);
		squares += off * (z - mean);
	}
	out.coefficient = sqrt(squares / (double)k) / mean;
	out.p = gsl_cdf_ugaussian_P(sqrt((double)k) * (out.coefficient - 1));
	return out;
}
