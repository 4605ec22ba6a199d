// SPDX-License-Identifier: GPL-3.0-or-later
// Residuals of a profile's blocks around their fitted polynomials (Peng, Buldyrev, Havlin, Simons,
// Stanley and Goldberger 1994; Kantelhardt, Koscielny-Bunde, Rego, Havlin and Bunde 2001).
#ifndef STAT_DETRENDED_H
#define STAT_DETRENDED_H

#include <stddef.h>

#include "stat/hurst/estimator.h"
#include "value/status.h"

#define DETRENDED_ORDER_MAX 3

// Moments of all pieces of 2^k points of a profile: those of a block are combined from its pieces.
struct detrended;

// Prepares y[n], which must outlive it. Holds n / 6 doubles. NULL if out of memory.
struct detrended *detrended_open(const double *y, size_t n, struct tr_error *err);

// Mean squared residual of the m points from begin on around their least-squares polynomial of
// order up to DETRENDED_ORDER_MAX; order < m.
double detrended_residual(const struct detrended *detrended, size_t begin, size_t m,
			  unsigned order);

// Frees it; NULL does nothing.
void detrended_close(struct detrended *detrended);

#endif
