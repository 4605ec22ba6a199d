// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter by local Whittle estimators for a power law above noise.
#ifndef STAT_LOCAL_WHITTLE_NOISE_H
#define STAT_LOCAL_WHITTLE_NOISE_H

#include "stat/estimator.h"

// Noise of any level that does not depend on itself, and short dependence that bends the power law. Own bandwidth: n^.8.
// 0.5 <= H < 1.49.
extern const struct estimator local_whittle_noise;

// For counts: the noise is that of a Poisson process whose rate is the signal, mean / 2 pi, and is not estimated. TR_ERROR where
// the series is not of counts. Own bandwidth: n^.7.
extern const struct estimator shot_local_whittle;

#endif
