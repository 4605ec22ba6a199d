// SPDX-License-Identifier: GPL-3.0-or-later
// How well a spectrum fits a periodogram over all frequencies.
#ifndef STAT_WHITTLE_FIT_H
#define STAT_WHITTLE_FIT_H

#include <stddef.h>

#include "stat/condensed_spectrum.h"

// Probability that a periodogram of the spectrum whose values at the band's places are shape[] (up to a factor) is as far
// from it as the band's is, by Beran's statistic (J. Beran, A goodness-of-fit test for time series with long
// range dependence, Journal of the Royal Statistical Society B 54 (1992) 749-760, theorem 2): small
// where the model is wrong.
double whittle_fit(const struct condensed_spectrum *band, const double *shape);

#endif
