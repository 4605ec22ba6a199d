// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter by absolute moments of the first order.
#ifndef STAT_ABSOLUTE_MOMENTS_H
#define STAT_ABSOLUTE_MOMENTS_H

#include "stat/estimator.h"

// The mean absolute deviation of the means of blocks of m points falls as m^(H - 1); H = 1 + slope.
// It exists where the variance does not. Own choice of scales: see stat/block_means.h.
extern const struct estimator absolute_moments;

#endif
