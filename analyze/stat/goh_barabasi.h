// SPDX-License-Identifier: GPL-3.0-or-later
// One number for how bursty gaps are: Goh and Barabasi, Burstiness and memory in complex systems,
// Europhysics Letters 81 (2008) 48002, and its form for finite sequences by Kim and Jo, Physical Review
// E 94 (2016) 032311.
#ifndef STAT_GOH_BARABASI_H
#define STAT_GOH_BARABASI_H

#include "stat/moments.h"

// B = (r - 1) / (r + 1), r the coefficient of variation (divisor n): -1 of a clock, 0 of Poisson
// arrivals, near 1 of the burstiest. NaN where there are no gaps or all are 0.
double goh_barabasi(const struct moments *gaps);

// Kim and Jo's equation 22: 0 on average of n gaps that are cut at random, 1 where all but one are 0,
// whatever n. NaN below two gaps.
double goh_barabasi_finite(const struct moments *gaps);

#endif
