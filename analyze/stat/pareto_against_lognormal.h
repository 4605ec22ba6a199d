// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the lognormal law fakes a power law.
#ifndef STAT_PARETO_AGAINST_LOGNORMAL_H
#define STAT_PARETO_AGAINST_LOGNORMAL_H

#include <stddef.h>

struct log_variation {
	double coefficient; // standard deviation of log y over its mean: 1 for Pareto's law, less for the lognormal
	double p;	    // of one as small where the law is Pareto's
};

// For y[k] = x / threshold, each >= 1: the uniformly most powerful unbiased test of Pareto's law against the
// lognormal one beyond the threshold, with its normal limit. NaN where all are 1.
struct log_variation pareto_against_lognormal(const double *y, size_t k);

#endif
