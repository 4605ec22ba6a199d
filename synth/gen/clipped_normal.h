// SPDX-License-Identifier: GPL-3.0-or-later
// Mean and variance of a normal whose values are drawn again below a floor and cut at the largest
// size, from what is left, by maximum likelihood: the values below the largest are a truncated
// sample, those at it are censored (Tobin 1958). Newton's method in the mean and the logarithm of
// the deviation, Wald intervals of the observed information (of the variance on the log scale).
//
// Known value: without floor and cut these are the sample's mean and variance (divisor n).
#ifndef GEN_CLIPPED_NORMAL_H
#define GEN_CLIPPED_NORMAL_H

#include <stdbool.h>
#include <stddef.h>

#include "gen/tally.h"

struct size_parameter {
	double value, low, high; // NaN where there is no interval
};

struct size_fit {
	struct size_parameter mean_B;
	struct size_parameter variance_B2;
	double distance; // Kolmogorov's, between the fitted distribution and the sample's
};

// The sample's smallest value is taken for the floor; values are whole bytes. level is that of the
// intervals. false where there is no maximum (fewer than two different values, or the sample falls
// off from its floor as no normal does); *out is then undefined.
bool clipped_normal_fit(const struct tally_value *sizes, size_t count, double mtu_B, double level, struct size_fit *out);

#endif
