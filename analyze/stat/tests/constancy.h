// SPDX-License-Identifier: GPL-3.0-or-later
// Whether H is constant over a series: chi-squared = sum of (h_i - mean)^2 / var_i over its blocks
// (Veitch and Abry 2001).
#ifndef STAT_CONSTANCY_H
#define STAT_CONSTANCY_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/intervals/verdict.h"
#include "value/status.h"

#define CONSTANCY_BLOCKS_MAX 64
#define CONSTANCY_CHANGE 0.2
#define CONSTANCY_POWER_MIN 0.5

struct constancy {
	size_t blocks;
	size_t length; // points of a block
	double h[CONSTANCY_BLOCKS_MAX];
	double se[CONSTANCY_BLOCKS_MAX];
	double mean; // of h, weighted by 1 / se^2
	double se_mean;
	double statistic; // chi-squared with blocks - 1 degrees of freedom
	double p;	  // of a statistic as large if H is constant
	double power; // probability of detecting a change of H by CONSTANCY_CHANGE in the middle
	bool scored;  // the tail is heavy: normal scores were used
	double scale_min, scale_max; // octaves used in all blocks, in points
};

// Doubles of workspace for n points.
size_t constancy_workspace(size_t n);

// Estimates H in adjacent blocks (2 to CONSTANCY_BLOCKS_MAX; 0: as many, up to 16, as leave each
// 2048 points and 4 octaves, else 2) by the logscale diagram of Daubechies' wavelet with 3
// vanishing moments, from the first octave chosen for the whole series to the last with 8 details
// in a block, and compares the estimates. Trends and level shifts have no effect. The errors assume
// Gaussian details: values with a heavy tail are replaced by normal scores (ranks.h). TR_ERROR if a
// block has fewer than 3 such octaves, or is constant.
enum tr_status constancy_test(const double *x, size_t n, size_t blocks, double *workspace,
			      struct constancy *out, struct tr_error *err);

// The answer with a sentence: yes, no, or unknown if the power is below CONSTANCY_POWER_MIN, the
// common H is invalid, or there is no result because of why (else NULL).
struct method_result constancy_decide(const struct constancy *constancy, size_t n, const char *why);

#endif
