// SPDX-License-Identifier: GPL-3.0-or-later
// Intervals for estimators without a usable formula for their error: their estimates on exact
// fractional Gaussian noise are tabulated by length and H, and the table is inverted.
#ifndef STAT_HURST_BIAS_H
#define STAT_HURST_BIAS_H

#include "stat/hurst/estimator.h"

#define HURST_BIAS_H 11
#define HURST_BIAS_N 10

// Mean and standard deviation of an estimate, with the estimator's default scales, over many
// series; made by tests/property/hurst_bias_table.c.
struct hurst_bias {
	struct {
		double mean;
		double sd;
	} at[HURST_BIAS_N][HURST_BIAS_H];
};

// Row i is for 2^hurst_bias_log2_n[i] points, column j for H = hurst_bias_h[j].
extern const int hurst_bias_log2_n[HURST_BIAS_N];
extern const double hurst_bias_h[HURST_BIAS_H];

extern const struct hurst_bias absolute_moments_bias;
extern const struct hurst_bias aggregated_variance_bias;
extern const struct hurst_bias averaged_periodogram_bias;
extern const struct hurst_bias detrended_fluctuation_1_bias;
extern const struct hurst_bias detrended_fluctuation_2_bias;
extern const struct hurst_bias detrended_fluctuation_3_bias;
extern const struct hurst_bias differenced_variance_bias;
extern const struct hurst_bias higuchi_bias;
extern const struct hurst_bias periodogram_bias;
extern const struct hurst_bias rescaled_range_bias;
extern const struct hurst_bias residuals_bias;

// Sets h_corrected, se, lo, hi and interval of an estimate whose h is set: the H whose mean
// estimate is h, and those at which h would be z standard deviations high or low. Linear between
// rows; series longer than the table's use its last row (the interval is then too wide). All are
// within 0 and 1. No interval if both ends are 0 or both are 1, which noise of no H gives, if
// options chose the scales, the series is shorter than the table's, or bias is NULL, as it is until
// an estimator's table is made.
void hurst_bias_interval(struct estimate *out, const struct hurst_bias *bias, size_t n,
			 const struct estimate_options *options);

// Fits the line through the points of a series of n (estimate_fit), sets h to offset + factor times
// slope, and sets the interval. TR_ERROR as estimate_fit.
enum tr_status hurst_bias_fit(struct estimate *out, double offset, double factor,
			      const struct hurst_bias *bias, size_t n,
			      const struct estimate_options *options, struct tr_error *err);

#endif
