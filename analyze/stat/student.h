// SPDX-License-Identifier: GPL-3.0-or-later
// Student's t distribution.
#ifndef STAT_STUDENT_H
#define STAT_STUDENT_H

// Probability of a value <= t with freedom > 0 degrees of freedom (not only whole ones).
double student_cdf(double t, double freedom);

// The t with student_cdf(t, freedom) = p, 0 < p < 1, relative error below 1e-12; infinities at 0
// and 1, NaN outside the ranges.
double student_quantile(double p, double freedom);

#endif
