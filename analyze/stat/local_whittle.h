// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter by the local Whittle estimator.
#ifndef STAT_LOCAL_WHITTLE_H
#define STAT_LOCAL_WHITTLE_H

#include "stat/estimator.h"

// Whittle's likelihood of power ~ l^(1 - 2H) over the lowest m frequencies. Own choice: m = n^0.65.
// The best of those that assume nothing about the higher frequencies; a strong period throws it
// off.
extern const struct estimator local_whittle;

#endif
