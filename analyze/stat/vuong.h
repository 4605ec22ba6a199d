// SPDX-License-Identifier: GPL-3.0-or-later
// Which of two fitted laws is nearer to the truth.
#ifndef STAT_VUONG_H
#define STAT_VUONG_H

#include "stat/tail_law.h"

struct vuong {
	double z; // standard normal where both are as near; > 0 for the first. NaN where both are the same
	double p; // two-sided
};

// Compares two fits to y[k] by the sum of the differences of their log densities, less that of their numbers of
// parameters (Akaike's correction), over its deviation. Where one law holds the other as a limit (Weibull's and the
// lognormal one hold Pareto's) and that is the truth, the statistic is not normal.
struct vuong vuong_compare(const struct tail_fit *first, const struct tail_fit *second, const double *y, size_t k);

#endif
