// SPDX-License-Identifier: GPL-3.0-or-later
// The variance-time plot of counts at several widths: how the variance of the rate falls with the
// width. Leland, Taqqu, Willinger and Wilson, On the self-similar nature of Ethernet traffic,
// IEEE/ACM Transactions on Networking 2 (1994): Var(rate at width m) ~ m^(2H - 2) for exactly
// self-similar counts; Poisson has slope -1. It is a slope, not an estimate of H: noise and short
// dependence bend the plot.
#ifndef STAT_VARIANCE_SLOPE_H
#define STAT_VARIANCE_SLOPE_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/counts/scales.h"

enum scale_measure { SCALE_COUNT, SCALE_BYTES };

// A width with this many bins takes part in the fit.
#define VARIANCE_SLOPE_BINS 30

struct variance_slope {
	size_t widths; // that took part in the fit
	bool used[SCALES_MAX];
	double slope;	 // of log variance against log width; NaN below two widths
	double se;	 // delete-one-segment jackknife; NaN without an interval
	double lo, hi;	 // interval of slope at the given level; NaN if none
	size_t segments; // of the jackknife
	bool curved;	 // the plot bends, by the same jackknife: no one slope describes it
};

// Curved: the end slopes of a parabola fitted to the points differ by VARIANCE_SLOPE_BEND or more,
// and its curvature differs from 0 at a level of 99.9 %.
#define VARIANCE_SLOPE_BEND 0.3

// Fits the widths of finished scales by ordinary least squares. The points are dependent, so the
// usual error of a regression is wrong; the interval is Student's over the jackknife that leaves
// out one segment of time at a time, given for 8 segments or more if every width has bins without
// any one of them.
// Long-range dependence reaches across segments, so the true level of the interval is below level
// for H near 1.
struct variance_slope variance_slope(const struct scales *scales, enum scale_measure measure,
				     double level);

#endif
