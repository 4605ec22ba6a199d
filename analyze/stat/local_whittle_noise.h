// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter by local Whittle estimators for a power law above noise.
#ifndef STAT_LOCAL_WHITTLE_NOISE_H
#define STAT_LOCAL_WHITTLE_NOISE_H

#include <stdbool.h>

#include "stat/estimator.h"
#include "stat/spectral_fit.h"

// Noise of any level that does not depend on itself, and short dependence that bends the power law. Own bandwidth: n^.75.
// 0.5 <= H < 1.49.
extern const struct estimator local_whittle_noise;

// The same of the frequencies 1 to last, at most to the own bandwidth, without those j with skip[j] where skip is not NULL: fit->theta[0]
// is H - .5, lo and hi its interval at that level. Its b is between -10 and 10 squared points,
// as the theory bounds it: relative to the band alone, the bend would be as free in a long series as in a short one, and one that
// no short dependence explains would stand for part of the power law. work: SPECTRAL_FIT_WORKSPACE. False below 16 frequencies.
bool local_whittle_noise_fit(const struct spectrum *spectrum, size_t last, const bool *skip, double level, double *work,
			     struct spectral_fit *fit);

// For counts: the noise is that of a Poisson process whose rate is the signal, mean / 2 pi, and is not estimated. TR_ERROR where
// the series is not of counts. Own bandwidth: n^.7.
extern const struct estimator shot_local_whittle;

#endif
