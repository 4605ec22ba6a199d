// SPDX-License-Identifier: GPL-3.0-or-later
// Random series, to compare with a measured one.
#ifndef STAT_SURROGATE_SERIES_H
#define STAT_SURROGATE_SERIES_H

#include <stddef.h>

#include "value/random.h"
#include "value/status.h"

// ---- A series in other orders, without a part of its dependence (Erramilli, Narayan and Willinger
// 1996).

// Fills y[n] with x[n] in random order; all orders are equally likely.
void shuffle_all(const double *x, size_t n, struct tr_random *random, double *y);

// Shuffles whole blocks, keeping the order inside them: removes dependence beyond a block. The last
// n % block points stay in place. block >= 1.
void shuffle_external(const double *x, size_t n, size_t block, struct tr_random *random, double *y);

// Shuffles points within each block, keeping the blocks in place: removes dependence inside a
// block.
void shuffle_internal(const double *x, size_t n, size_t block, struct tr_random *random, double *y);

// ---- A Gaussian series with the spectrum of another (Theiler, Eubank, Longtin, Galdrikian and
// Farmer 1992).

// Doubles of workspace for n points.
size_t phase_surrogate_workspace(size_t n);

// Fills y[n] with a series that has the mean, the variance and the periodogram of x[n] but random
// phases: dependence other than correlation, shifts and the marginal law are lost. n >= 2. TR_ERROR
// if out of memory.
enum tr_status phase_surrogate(const double *x, size_t n, struct tr_random *random,
			       double *workspace, double *y, struct tr_error *err);

// ---- Counts of a Poisson process, to show beside measured ones.

// Fills counts[n] with independent Poisson numbers of the mean, 0 < mean <= 2^31.
void poisson_draw(double mean, struct tr_random *random, double *counts, size_t n);

#endif
