// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter and level of long-range dependence together, by wavelets (Abry and Veitch).
#ifndef STAT_LOGSCALE_JOINT_H
#define STAT_LOGSCALE_JOINT_H

#include "stat/estimator.h"

// As logscale_daubechies, but that onset_of_scaling chooses j1, not before wavelet_first_octave, and estimate.density is set.
extern const struct estimator logscale_joint;

#endif
