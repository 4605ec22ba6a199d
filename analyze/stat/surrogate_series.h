// SPDX-License-Identifier: GPL-3.0-or-later
// Series made at random, to be compared with a measured one.
#ifndef STAT_SURROGATE_SERIES_H
#define STAT_SURROGATE_SERIES_H

#include <stddef.h>

#include "trace/random.h"
#include "trace/status.h"

// ---- A series in other orders, that lack a part of its dependence (Erramilli, Narayan and Willinger 1996).

// Fills y[n] with x[n] in random order; all orders are equally likely.
void shuffle_all(const double *x, size_t n, struct tr_random *random, double *y);

// Whole blocks are put in random order, that inside them stays: dependence beyond a block is gone. The
// last n % block points stay in place. block >= 1.
void shuffle_external(const double *x, size_t n, size_t block, struct tr_random *random, double *y);

// Points are put in random order inside each block, the blocks stay in place: dependence inside a block is gone.
void shuffle_internal(const double *x, size_t n, size_t block, struct tr_random *random, double *y);

// ---- A Gaussian series with the spectrum of another (Theiler, Eubank, Longtin, Galdrikian and Farmer 1992).

// Doubles of workspace for n points.
size_t phase_surrogate_workspace(size_t n);

// Fills y[n] with a series that has the mean, the variance and the periodogram of x[n] and random phases: what it depends
// on its past by more than correlations, its shifts and its marginal law are gone. n >= 2. TR_ERROR without memory.
enum tr_status phase_surrogate(const double *x, size_t n, struct tr_random *random, double *workspace, double *y,
			       struct tr_error *err);

// ---- Counts of a Poisson process, to be shown beside measured ones.

// Fills counts[n] with independent Poisson numbers of the mean, 0 < mean <= 2^31.
void poisson_draw(double mean, struct tr_random *random, double *counts, size_t n);

#endif
