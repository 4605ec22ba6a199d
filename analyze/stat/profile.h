// SPDX-License-Identifier: GPL-3.0-or-later
// The profile of a series: the sums of its deviations from the mean, whose differences are block
// sums and whose wandering is what several estimators measure.
#ifndef STAT_PROFILE_H
#define STAT_PROFILE_H

#include <stddef.h>

// Fills sums[n + 1], sums[i] for the first i points of x[n], n > 0. Returns the sum of the squared
// deviations.
double profile_make(const double *x, size_t n, double *sums);

// Doubles that a profile of n points needs: an estimator's workspace.
size_t profile_workspace(size_t n);

#endif
