// SPDX-License-Identifier: GPL-3.0-or-later
// A series in other orders, that lack a part of its dependence.
#ifndef STAT_SHUFFLE_H
#define STAT_SHUFFLE_H

#include <stddef.h>

#include "trace/random.h"

// Fills y[n] with x[n] in random order; all orders are equally likely.
void shuffle_all(const double *x, size_t n, struct tr_random *random, double *y);

// Whole blocks are put in random order, that inside them stays: dependence beyond a block is gone. The
// last n % block points stay in place. block >= 1.
void shuffle_external(const double *x, size_t n, size_t block, struct tr_random *random, double *y);

// Points are put in random order inside each block, the blocks stay in place: dependence inside a block is gone.
void shuffle_internal(const double *x, size_t n, size_t block, struct tr_random *random, double *y);

#endif
