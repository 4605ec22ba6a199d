// SPDX-License-Identifier: GPL-3.0-or-later
// Confidence intervals of a mean, and the number of samples needed for a relative error in percent.
#ifndef STAT_INTERVAL_H
#define STAT_INTERVAL_H

#include "stat/intervals/moments.h"

struct interval {
	double lo;
	double hi;
};

// Student's interval of the mean, mean +- t(1/2 + level/2; n - 1) s / sqrt(n), level in (0, 1).
// Assumes independent samples. NaN bounds below two values.
struct interval mean_interval(const struct moments *moments, double level);

// The interval around a mean of values at or above floor, made from Student's interval for the same
// mean: Student's may reach below the floor, and for few skewed values its upper end is too low as
// well. With m the mean over the floor and r the half width of Student's interval over m, the upper
// end is floor + m (1 + r/2)^2, as for the interval of the square root; the lower one is Student's
// while r <= 1/2, then floor + m/2 exp(1 - 2r), which continues it with the same slope and never
// reaches the floor. It contains the true mean whenever Student's does (except for at most some
// hundredths of m at the lower end where r > 1/2). Mean: the middle of the interval. Unchanged if
// the mean is the floor, or bounds are NaN.
struct interval interval_above(struct interval interval, double floor);

// Samples needed for a mean accurate to percent % (> 0): (100 quantile sd / (percent mean))^2 (Jain
// 1991, section 13.9.1; equation 3.8 of Yates 1997). quantile is the normal or Student quantile of
// the wanted level (1.645, 1.960, 2.576). Not rounded; NaN or infinite if mean is 0.
double samples_needed(double mean, double sd, double quantile, double percent);

#endif
