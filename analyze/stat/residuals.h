// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter by residuals of regression.
#ifndef STAT_RESIDUALS_H
#define STAT_RESIDUALS_H

#include "stat/estimator.h"

// The variance of the residuals of the profile's blocks of m points around a straight line each
// grows as m^(2H); H = slope / 2. Of the blocks' variances the median is taken: with the mean the
// method would be detrended fluctuation analysis of order 1, and a few violent blocks would decide.
// Scales: detrended_scales.
extern const struct estimator residuals;

#endif
