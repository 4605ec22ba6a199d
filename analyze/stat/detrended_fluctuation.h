// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter by detrended fluctuation analysis.
#ifndef STAT_DETRENDED_FLUCTUATION_H
#define STAT_DETRENDED_FLUCTUATION_H

#include "stat/estimator.h"

// The root of the mean squared residual of the profile's blocks of m points around a polynomial of
// order 1, 2 or 3 each grows as m^H; H = slope. Order p is blind to a trend of order p - 1 in the
// series. Blocks are counted from both ends. Scales: detrended_scales.
extern const struct estimator detrended_fluctuation_1;
extern const struct estimator detrended_fluctuation_2;
extern const struct estimator detrended_fluctuation_3;

#endif
