// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter by Whittle's likelihood of FARIMA(0, d, 0).
#ifndef STAT_WHITTLE_FARIMA_H
#define STAT_WHITTLE_FARIMA_H

#include "stat/estimator.h"

// The power of fractionally integrated noise is (2 sin(l / 2))^(-2 d) up to a factor, d = H - 1/2, at
// all frequencies. Very precise, and wrong where the series is something else, which Beran's test
// tells.
extern const struct estimator whittle_farima;

#endif
