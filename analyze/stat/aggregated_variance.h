// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter by aggregated variance (the variance-time plot).
#ifndef STAT_AGGREGATED_VARIANCE_H
#define STAT_AGGREGATED_VARIANCE_H

#include "stat/estimator.h"

// The variance of the means of blocks of m points falls as m^(2H - 2); H = 1 + slope / 2 of log
// variance on log m. Own choice of scales: 50, evenly spaced in log m, from 10 to n / 128; below
// 16,384 points to 128, and below 2,048 from n / 205 to n / 16.
extern const struct estimator aggregated_variance;

#endif
