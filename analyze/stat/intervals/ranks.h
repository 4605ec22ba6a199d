// SPDX-License-Identifier: GPL-3.0-or-later
// Sorting, and normal scores instead of values.
#ifndef STAT_RANKS_H
#define STAT_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- Sorting.

// Sort x[n] in place, with room for as many more, or twice as many; without it they are slower. No
// NaN.
void rising_sort(double *x, size_t n);
void rising_sort_whole(uint64_t *x, size_t n);

// ---- Normal scores in place of values whose fourth moment is too large for tests that rest on
// variances (van der Waerden 1952).

// Fills y[n] with the standard normal quantiles of the ranks of x[n], (rank - 1/2) / n; equal
// values share the mean of their ranks. workspace[n] is room. x and y may be the same.
void normal_scores(const double *x, size_t n, double *workspace, double *y);

// Fourth central moment over the square of the second: 3 for normal values, 9 for exponential ones.
// NaN if all are equal.
double kurtosis(const double *x, size_t n);

#define KURTOSIS_HEAVY 12.0

// x if its kurtosis is at most KURTOSIS_HEAVY, else its normal scores, which are in workspace[2 n].
const double *scores_if_heavy(const double *x, size_t n, double *workspace);

#endif
