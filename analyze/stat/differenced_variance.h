// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter by differenced variance.
#ifndef STAT_DIFFERENCED_VARIANCE_H
#define STAT_DIFFERENCED_VARIANCE_H

#include "stat/estimator.h"

// A shift of the level adds the same to the variance of block means of every length, and so nothing
// to the differences between neighbouring lengths, which fall as m^(2H - 2). H = 1 + slope / 2. A
// point stands at the shorter length; where the difference is not positive there is none. Own
// choice of scales: see stat/block_means.h. Noisy, and high.
extern const struct estimator differenced_variance;

#endif
