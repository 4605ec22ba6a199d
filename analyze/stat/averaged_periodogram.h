// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter by the averaged periodogram.
#ifndef STAT_AVERAGED_PERIODOGRAM_H
#define STAT_AVERAGED_PERIODOGRAM_H

#include "stat/estimator.h"

// The power below frequency l, F(l), grows as l^(2 - 2H); H = 1 - log2(F(l_m) / F(l_(m/2))) / 2. Own
// choice: m = n^0.65. Two points of a curve that the plot shows whole.
extern const struct estimator averaged_periodogram;

#endif
