// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter by the exact local Whittle estimator.
#ifndef STAT_EXACT_LOCAL_WHITTLE_H
#define STAT_EXACT_LOCAL_WHITTLE_H

#include "stat/estimator.h"

// The d that makes the lowest m frequencies of (1 - B)^d x whitest; H = d + 1/2. As the local Whittle
// estimator, and of use also where the series does not stand still (H of 1 and above). The unknown
// level is the mean for d below 1/2, the first point from 3/4 on, and a mixture between. Own choice:
// m = n^0.65.
extern const struct estimator exact_local_whittle;

#endif
