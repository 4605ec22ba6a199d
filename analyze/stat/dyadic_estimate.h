// SPDX-License-Identifier: GPL-3.0-or-later
// What the sums over dyadic windows tell of long-range dependence and dispersion, at any time.
#ifndef STAT_DYADIC_ESTIMATE_H
#define STAT_DYADIC_ESTIMATE_H

#include "stat/dyadic.h"
#include "stat/estimator.h"

// The estimators that need no more than these sums. Each is that of its name, but for windows that lie
// on multiples of their width, and block lengths that are powers of two.
struct dyadic_estimator {
	const struct estimator *like; // its name, title, paper and labels
	enum tr_status (*run)(const struct dyadic *dyadic, const struct estimate_options *options, struct estimate *out,
			      struct tr_error *err);
};

#define DYADIC_ESTIMATORS 2
extern const struct dyadic_estimator dyadic_estimators[DYADIC_ESTIMATORS];

// The one that is like an estimator; NULL where there is none.
const struct dyadic_estimator *dyadic_estimator_find(const struct estimator *like);

// Index of dispersion of the sums over whole windows of a level: sample variance over mean. NaN below two
// windows, or where all are empty.
double dyadic_dispersion(const struct dyadic *dyadic, unsigned level);

#endif
