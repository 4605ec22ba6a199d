// SPDX-License-Identifier: GPL-3.0-or-later
// The long-run variance of a series with short memory: its variance and twice its autocovariances, weighed.
#ifndef STAT_LONG_RUN_VARIANCE_H
#define STAT_LONG_RUN_VARIANCE_H

#include <stddef.h>

// Variance (divisor n) of x[n] about its mean, and twice the autocovariances at lags 1 to lags < n with Bartlett's
// weights 1 - lag / (lags + 1). Not below 0. Time is that of n steps, however many lags.
double long_run_variance(const double *x, size_t n, size_t lags);

// How many lags suit a series like a first-order autoregression of its own lag-1 autocorrelation; at most n - 1.
size_t long_run_lags_andrews(const double *x, size_t n);

// The whole part of factor (n / 100)^(1/4): factors are 4 and 12 in the use.
size_t long_run_lags_fourth_root(size_t n, double factor);

#endif
