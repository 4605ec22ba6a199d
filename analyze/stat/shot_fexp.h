// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter of the rate behind counts, by Whittle's likelihood at all frequencies.
#ifndef STAT_SHOT_FEXP_H
#define STAT_SHOT_FEXP_H

#include "stat/estimator.h"

// The rate has the spectrum of a fractional exponential model, of an order up to 8; above it is the Poisson noise of counting. TR_ERROR where
// the series is not of counts. 0.5 <= H < 1.49.
extern const struct estimator shot_fexp;

#endif
