// SPDX-License-Identifier: GPL-3.0-or-later
// How bursty counts and gaps are, as one number.
#ifndef STAT_DISPERSION_H
#define STAT_DISPERSION_H

#include <stddef.h>

#include "stat/moments.h"

// ---- Indices of dispersion from moments that are known by parts: of counts, Var N(T) / E N(T) (Cox and
// Lewis 1966, section 4.5), of intervals, k Var(S_k) / E(S_k)^2 for sums S_k of k gaps (section 4.2).
// Both are 1 of Poisson arrivals.

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

// ---- One number for how bursty gaps are: Goh and Barabasi, Burstiness and memory in complex systems,
// Europhysics Letters 81 (2008) 48002, and its form for finite sequences by Kim and Jo, Physical Review
// E 94 (2016) 032311.

// B = (r - 1) / (r + 1), r the coefficient of variation (divisor n): -1 of a clock, 0 of Poisson
// arrivals, near 1 of the burstiest. NaN where there are no gaps or all are 0.
double goh_barabasi(const struct moments *gaps);

// Kim and Jo's form: 0 on average of n gaps that are cut at random, 1 where all but one are 0,
// whatever n. NaN below two gaps.
double goh_barabasi_finite(const struct moments *gaps);

#endif
