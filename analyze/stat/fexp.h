// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter by the fractional exponential model.
#ifndef STAT_FEXP_H
#define STAT_FEXP_H

#include "stat/estimator.h"

// Regression of the logarithm of the power at all frequencies; the order is higher by 4 (n / 8192)^(1/4)
// than Mallows' criterion, up to 12, has it.
extern const struct estimator fexp;

#endif
