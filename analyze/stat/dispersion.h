// SPDX-License-Identifier: GPL-3.0-or-later
// Indices of dispersion from moments that are known by parts: of counts, Var N(T) / E N(T) (Cox and
// Lewis 1966, section 4.5), of intervals, k Var(S_k) / E(S_k)^2 for sums S_k of k gaps (section 4.2).
// Both are 1 of Poisson arrivals.
#ifndef STAT_DISPERSION_H
#define STAT_DISPERSION_H

#include <stddef.h>

#include "stat/moments.h"

// Below so many parts there is no interval.
#define DISPERSION_PARTS_MIN 8

enum dispersion_of {
	DISPERSION_COUNTS,    // variance / mean
	DISPERSION_INTERVALS, // variance / mean^2
};

struct dispersion {
	uint64_t n; // values
	double mean;
	double index; // NaN below two values, or where the mean is 0
	double lo;    // NaN without an interval
	double hi;
	size_t parts; // that the interval is from
};

// The index times scale, and its interval at level (0..1): Student's over a jackknife of its logarithm
// that leaves out one part at a time. Dependence that reaches across parts is not in it. The range of
// the parts is not used; each has values.
struct dispersion dispersion_of_parts(const struct moments *parts, size_t count, enum dispersion_of what, double scale,
				      double level);

#endif
