// SPDX-License-Identifier: GPL-3.0-or-later
// The standard normal distribution.
#ifndef STAT_NORMAL_H
#define STAT_NORMAL_H

// Probability of a value <= z.
double normal_cdf(double z);

// The z with normal_cdf(z) = p, 0 < p < 1, relative error about 1e-15; infinities at 0 and 1, NaN
// outside.
double normal_quantile(double p);

#endif
