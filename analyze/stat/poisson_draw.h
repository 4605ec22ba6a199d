// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of a Poisson process, to be shown beside measured ones.
#ifndef STAT_POISSON_DRAW_H
#define STAT_POISSON_DRAW_H

#include <stddef.h>

#include "trace/random.h"

// Fills counts[n] with independent Poisson numbers of the mean, 0 < mean <= 2^31.
void poisson_draw(double mean, struct tr_random *random, double *counts, size_t n);

#endif
