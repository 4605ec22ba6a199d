// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter by aggregated variance (the variance-time plot).
#ifndef STAT_AGGREGATED_VARIANCE_H
#define STAT_AGGREGATED_VARIANCE_H

#include "stat/estimator.h"

// The variance of the means of blocks of m points falls as m^(2H - 2); H = 1 + slope / 2 of log
// variance on log m. Own choice of scales: see stat/block_means.h.
extern const struct estimator aggregated_variance;

#endif
