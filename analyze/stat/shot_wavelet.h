// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter of the rate behind counts, by wavelets.
#ifndef STAT_SHOT_WAVELET_H
#define STAT_SHOT_WAVELET_H

#include "stat/estimator.h"

// Daubechies' wavelet with 3 vanishing moments, or options->vanishing. The mean squared detail of octave j is the mean count, of
// the Poisson noise, and c 2^(j (2H-1)), of the rate. Octaves as logscale_daubechies, but for the first, which
// onset_of_scaling chooses from wavelet_first_octave on. TR_ERROR where a point is negative or not whole. 0.5 <= H < 1.49.
extern const struct estimator shot_wavelet;

#endif
