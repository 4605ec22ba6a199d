// SPDX-License-Identifier: GPL-3.0-or-later
// The extreme value index by the moment estimator: above 0 for power laws, 0 for exponential-like tails
// (lognormal and Weibull among them), below 0 where the values have a bound.
#ifndef STAT_MOMENT_ESTIMATOR_H
#define STAT_MOMENT_ESTIMATOR_H

#include "stat/tail.h"

// The index g of the k largest values, k >= 2, with its asymptotic error; a power law has index 1 / g.
// NaN where they are all equal.
struct tail_index moment_estimator(const struct tail *tail, double level);

// The tail index 1 / g of an estimate of g, with its error by the delta method; NaN where g is not above 0, and no upper
// end (infinite) where the interval of g holds 0.
struct tail_index moment_estimator_index(const struct tail_index *g);

#endif
