// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter by Higuchi's length of a curve.
#ifndef STAT_HIGUCHI_H
#define STAT_HIGUCHI_H

#include "stat/estimator.h"

// The length of the profile's curve, measured with steps of k points, falls as k^(H - 2); H = 2 +
// slope. All k starts are used. Own choice of scales: 40, evenly spaced in log k, from 1 to n / 10.
// Low for high H.
extern const struct estimator higuchi;

#endif
