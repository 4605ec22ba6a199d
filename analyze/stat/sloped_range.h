// SPDX-License-Identifier: GPL-3.0-or-later
// How far sums wander from a straight line.
#ifndef STAT_SLOPED_RANGE_H
#define STAT_SLOPED_RANGE_H

#include <stdint.h>

// The largest of sums[i] - sums[0] - i slope over 0 <= i <= m, less the smallest. All must be finite.
double sloped_range(const double *sums, int32_t m, double slope);

#endif
