// SPDX-License-Identifier: GPL-3.0-or-later
// Vuong, Likelihood ratio tests for model selection and non-nested hypotheses, Econometrica 57 (1989) 307-333,
// equations 5.1 to 5.9.
#include "stat/vuong.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define SAME 1e-12 // of a log density: laws that differ by less are one

struct vuong vuong_compare(const struct tail_fit *first, const struct tail_fit *second, const double *y, size_t k)
{
	const double count = (double)k;
	double mean = 0, squares = 0, corrected;
	struct vuong out = {NAN, NAN};

	for (size_t i = 0; i < k; i++) {
		const double difference = first->law->log_density(y[i], first->parameters) -
					  second->law->log_density(y[i], second->parameters);
		const double off = difference - mean;

		mean += off / (double)(i + 1);
		squares += off * (difference - mean);
	}
	if (!(squares > count * SAME * SAME))
		return out;
	corrected = count * mean - ((double)first->law->parameters - (double)second->law->parameters);
	out.z = corrected / sqrt(squares);
	out.p = 2 * gsl_cdf_ugaussian_P(-fabs(out.z));
	return out;
}
