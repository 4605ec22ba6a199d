// SPDX-License-Identifier: GPL-3.0-or-later
// Whittle's likelihood of a spectrum that is a power of a known function of the frequency: local
// Whittle estimation (Robinson 1995) and that of FARIMA(0, d, 0) (Fox and Taqqu 1986).
#ifndef STAT_POWER_LAW_H
#define STAT_POWER_LAW_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/spectra/condensed.h"

struct power_law {
	double d;	    // the exponent of the shape is -2 d
	double level;	    // mean of the power over its shape
	double centre;	    // mean of log_shape
	double information; // sum of the squared deviations of 2 log shape: 1 / se(d)^2
	bool inside;	    // d lies between the bounds, and not at one of them
};

#define POWER_LAW_D_MIN (-1.5)
#define POWER_LAW_D_MAX 1.5

// Finds the d that minimises log(mean of power[i] exp(2 d log_shape[i])) - 2 d (mean of log_shape),
// 0 <= i < count, which is convex in d. Some power must be above 0. weights[count] is workspace.
struct power_law power_law_fit(const double *power, const double *log_shape, size_t count,
			       double *weights);

// Local Whittle estimation: the same for the frequencies of a band; log_frequency receives their
// logarithms.
struct power_law power_law_fit_band(const struct spectrum *spectrum, struct band band,
				    double *log_frequency, double *weights);

#endif
