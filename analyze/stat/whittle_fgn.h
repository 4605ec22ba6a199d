// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter by Whittle's likelihood of fractional Gaussian noise.
#ifndef STAT_WHITTLE_FGN_H
#define STAT_WHITTLE_FGN_H

#include "stat/estimator.h"

// At all frequencies. The most precise where the series is such noise, and wrong where it is not,
// which Beran's test tells.
extern const struct estimator whittle_fgn;

#endif
