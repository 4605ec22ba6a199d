// SPDX-License-Identifier: GPL-3.0-or-later
// The smooth part of a periodogram, which a line must rise above: no line of 1/f noise is a period.
#ifndef STAT_SPECTRAL_LEVEL_H
#define STAT_SPECTRAL_LEVEL_H

#include <stddef.h>

// Fills ratio[1 .. count] with power[1 .. count] over the local level, exponential with mean 1 where the spectrum is
// smooth; lines less than a tenth of their frequency wide do not raise their own level. level and logs, [count + 1]
// each, are workspace. Ratios are 0 where the power is.
void spectral_level_ratio(const double *power, size_t count, double *ratio, double *level, double *logs);

// Independent ordinates from which the level of ordinate j was taken.
double spectral_level_support(size_t j, size_t count);

#endif
