// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a series is stationary about one level, against a random walk in it.
#ifndef STAT_KPSS_H
#define STAT_KPSS_H

#include <stddef.h>

struct kpss {
	size_t lags;	  // of the long-run variance
	double statistic; // eta_mu; NaN for a constant series
	double p;	  // of one as large in a stationary series with short memory
};

// Long memory, which is stationary too, makes the statistic as large: it tells only of series without it. lags
// 0: those that 12 (n / 100)^(1/4) gives. n >= 2.
struct kpss kpss_test(const double *x, size_t n, size_t lags);

#endif
