// SPDX-License-Identifier: GPL-3.0-or-later
// Indices of burstiness for counts and gaps.
#ifndef STAT_DISPERSION_H
#define STAT_DISPERSION_H

#include <stddef.h>

#include "stat/intervals/moments.h"

// ---- Indices of dispersion from the moments of parts: of counts, Var N(T) / E N(T) (Cox and Lewis
// 1966, section 4.5), of intervals, k Var(S_k) / E(S_k)^2 for sums S_k of k gaps (section 4.2).
// Both are 1 for Poisson arrivals.

// Fewer parts give no interval.
#define DISPERSION_PARTS_MIN 8
#define DISPERSION_PARTS_MAX 64

enum dispersion_of {
	DISPERSION_COUNTS,    // variance / mean
	DISPERSION_INTERVALS, // variance / mean^2
};

struct dispersion {
	uint64_t n; // values
	double mean;
	double index; // NaN below two values, or if the mean is 0
	double lo;    // NaN without an interval
	double hi;
	size_t parts; // that the interval is based on
};

// The index times scale, and its interval at level (0..1): that of a mean
// (stat/intervals/mean_error.h) over a jackknife of its logarithm that leaves out one part at a
// time, the parts in order of time. The range of the parts is not used; each has values.
struct dispersion dispersion_of_parts(const struct moments *parts, size_t count,
				      enum dispersion_of what, double scale, double level);

// ---- The burstiness of gaps as one number: Goh and Barabasi, Burstiness and memory in complex
// systems, Europhysics Letters 81 (2008) 48002, and its form for finite sequences by Kim and Jo,
// Physical Review E 94 (2016) 032311.

// B = (r - 1) / (r + 1), r the coefficient of variation (divisor n): -1 for a clock, 0 for Poisson
// arrivals, near 1 for the burstiest. NaN if there are no gaps or all are 0.
double goh_barabasi(const struct moments *gaps);

// Kim and Jo's form: for any n, 0 on average for gaps between random points, 1 if all gaps but one
// are 0.
// NaN below two gaps.
double goh_barabasi_finite(const struct moments *gaps);

#endif
