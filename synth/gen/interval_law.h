// SPDX-License-Identifier: GPL-3.0-or-later
// Maximum likelihood fits of the exponential law and Pareto's to interval-censored values.
#ifndef GEN_INTERVAL_LAW_H
#define GEN_INTERVAL_LAW_H

#include <stddef.h>

#define INTERVAL_LAW_SHAPE_LEAST 1.01 // of Pareto's law: its mean ends at 1

// count values in (low, high]; high INFINITY: longer than low.
struct interval_value {
	double low, high, count;
};

struct interval_law {
	double mean;
	double shape; // of Pareto's law; 0: exponential
	double mean_ends[2],
		shape_ends[2]; // where the likelihood has fallen by the amount of the level
	double log_likelihood;
};

// The likelier of the two laws, with a penalty of half the logarithm of the number of values per
// parameter. There must be a value whose low is above 0. level 0: the ends are 0, which are half of
// the work.
void interval_law_fit(const struct interval_value *values, size_t count, double level,
		      struct interval_law *out);

#endif
