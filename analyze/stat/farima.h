// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter by Whittle's likelihood of FARIMA(p, d, q).
#ifndef STAT_FARIMA_H
#define STAT_FARIMA_H

#include "stat/estimator.h"

// All frequencies; p and q up to 2, by the Bayesian information criterion. 0.01 <= H < 1.49.
extern const struct estimator farima;

#endif
