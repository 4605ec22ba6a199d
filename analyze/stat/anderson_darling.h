// SPDX-License-Identifier: GPL-3.0-or-later
// Anderson and Darling's test that values come from an exponential law whose mean is not known.
#ifndef STAT_ANDERSON_DARLING_H
#define STAT_ANDERSON_DARLING_H

#include <stddef.h>

// The statistic A^2 (1 + 0.6 / n) of n values in rising order, none below 0; infinite where one is 0
// and another is not, NaN where all are 0 or n is 0.
double anderson_darling_exponential(const double *rising, size_t n);

// Probability of a statistic as large from exponential values; NaN for NaN.
double anderson_darling_exponential_p(double statistic);

#endif
