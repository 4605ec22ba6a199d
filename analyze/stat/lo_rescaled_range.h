// SPDX-License-Identifier: GPL-3.0-or-later
// Long memory against short: the range and the variance of the partial sums over what short memory makes of them.
#ifndef STAT_LO_RESCALED_RANGE_H
#define STAT_LO_RESCALED_RANGE_H

#include <stddef.h>

// In a series with short memory 95 of 100 statistics lie between these.
#define LO_RESCALED_RANGE_LOW_95 0.809
#define LO_RESCALED_RANGE_HIGH_95 1.862

struct lo_rescaled_range {
	size_t lags;		  // q
	double statistic;	  // V_q: range of the partial sums over sqrt(n) and the long-run deviation; or NaN
	double p_above;		  // of one as large in a series with short memory
	double p;		  // of one as far out, to either side
	double rescaled_variance; // variance of the partial sums over n and the long-run variance (V/S); or NaN
	double p_variance;	  // of one as large
};

// lags 0: as Andrews's rule has them. More lags let more dependence pass for short. n >= 2. NaN for a constant series.
struct lo_rescaled_range lo_rescaled_range_test(const double *x, size_t n, size_t lags);

#endif
