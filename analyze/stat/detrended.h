// SPDX-License-Identifier: GPL-3.0-or-later
// What is left of a profile's blocks when a polynomial is taken from each.
#ifndef STAT_DETRENDED_H
#define STAT_DETRENDED_H

#include <stddef.h>

#include "stat/estimator.h"
#include "trace/status.h"

#define DETRENDED_ORDER_MAX 3

// Moments of all pieces of 2^k points of a profile: a block's are put together from those of the pieces in it.
struct detrended;

// Prepares y[n], which must stay. Holds n / 6 doubles. NULL without memory.
struct detrended *detrended_open(const double *y, size_t n, struct tr_error *err);

// Block lengths of a fit: those that options give, at least shortest, or 30, evenly spaced in log m, from 16 (below 1,600
// points n / 100, at least 10) to n / 10. Fills scales[] with those up to n / 2; returns how many.
size_t detrended_scales(const struct estimate_options *options, size_t n, double shortest, size_t scales[ESTIMATE_POINTS_MAX]);

// Mean squared residual of the m points from begin on around their least-squares polynomial of an order up to
// DETRENDED_ORDER_MAX; order < m.
double detrended_residual(const struct detrended *detrended, size_t begin, size_t m, unsigned order);

// Frees it; NULL does nothing.
void detrended_close(struct detrended *detrended);

#endif
