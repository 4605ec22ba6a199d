// SPDX-License-Identifier: GPL-3.0-or-later
// Laws by maximum likelihood of values, and which of them suits best.
#ifndef GEN_LAW_FIT_H
#define GEN_LAW_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "gen/law.h"

// A sample, lent. rising values > 0, and their logarithms.
struct law_sample {
	const double *rising, *logs;
	size_t count;
	double mean, mean_log;
};

// Zero is none. The law may own bins.
struct law_fit {
	struct law law;
	double log_likelihood;
	unsigned freedom;
	double mean_low, mean_high;   // interval of the mean; NaN where none is known
	double shape_low, shape_high; // and of the shape
};

// How many parameters of a law are free: its mean, its shape; three of each bin of more than one value's hundredth (see
// law_fit.c).
unsigned law_freedom(const struct law *law);

// The one with the largest likelihood after half the logarithm of the sample's size for each free parameter (Schwarz,
// Estimating the dimension of a model, Annals of Statistics 6 (1978) 461-464). values > 0, at least two, which are sorted.
// TR_ERROR: fewer, or no memory.
enum tr_status law_fit_choose(double *values, size_t count, double level, struct law_fit *out, struct tr_error *err);

#endif
