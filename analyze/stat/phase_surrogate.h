// SPDX-License-Identifier: GPL-3.0-or-later
// A Gaussian series with the spectrum of another.
#ifndef STAT_PHASE_SURROGATE_H
#define STAT_PHASE_SURROGATE_H

#include <stddef.h>

#include "trace/random.h"
#include "trace/status.h"

// Doubles of workspace for n points.
size_t phase_surrogate_workspace(size_t n);

// Fills y[n] with a series that has the mean, the variance and the periodogram of x[n] and random phases: what it depends
// on its past by more than correlations, its shifts and its marginal law are gone. n >= 2. TR_ERROR without memory.
enum tr_status phase_surrogate(const double *x, size_t n, struct tr_random *random, double *workspace, double *y,
			       struct tr_error *err);

#endif
