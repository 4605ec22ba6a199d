// SPDX-License-Identifier: GPL-3.0-or-later
// The exponential law and Pareto's fitted to values of which only intervals are known, by likelihood.
#ifndef GEN_INTERVAL_LAW_H
#define GEN_INTERVAL_LAW_H

#include <stddef.h>

#define INTERVAL_LAW_SHAPE_LEAST 1.01 // of Pareto's law: its mean ends at 1

// A value in (low, high], count of them; high INFINITY: longer than low.
struct interval_value {
	double low, high, count;
};

struct interval_law {
	double mean;
	double shape;			    // of Pareto's law; 0: exponential
	double mean_ends[2], shape_ends[2]; // where the likelihood has fallen by what the level asks for
	double log_likelihood;
};

// The likelier law of the two, after half the logarithm of the number of values for each parameter. There is at least one value,
// and one whose low is above 0.
void interval_law_fit(const struct interval_value *values, size_t count, double level, struct interval_law *out);

#endif
