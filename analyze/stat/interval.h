// SPDX-License-Identifier: GPL-3.0-or-later
// How well a mean is known, and how many samples would make it known to r percent.
#ifndef STAT_INTERVAL_H
#define STAT_INTERVAL_H

#include "stat/moments.h"

struct interval {
	double lo;
	double hi;
};

// Student's interval of the mean, mean +- t(1/2 + level/2; n - 1) s / sqrt(n), level in (0, 1).
// Assumes independent samples. NaN bounds below two values.
struct interval mean_interval(const struct moments *moments, double level);

// Samples for a mean that is right to percent % (> 0): (100 quantile sd / (percent mean))^2 (Jain
// 1991, section 13.9.1; equation 3.8 of Yates 1997). quantile is the normal or Student quantile of
// the wanted level (1.645, 1.960, 2.576). Not rounded; NaN or infinite where mean is 0.
double samples_needed(double mean, double sd, double quantile, double percent);

// The same for the sample's own mean and deviation at level, with the normal quantile.
double moments_needed(const struct moments *moments, double level, double percent);

#endif
