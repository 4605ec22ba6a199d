// SPDX-License-Identifier: GPL-3.0-or-later
// The upper tail of a sample: its k largest values, and the index of a power law that they may follow.
#ifndef STAT_TAIL_H
#define STAT_TAIL_H

#include <stddef.h>

// The k largest of n values in rising order, 0 < k < n. They are compared with the next smaller one,
// rising[n - k - 1], which must be above 0.
struct tail {
	const double *rising; // lent
	size_t n;
	size_t k;
};

// P(X > x) ~ x^-index, or 1 / the extreme value index of the moment estimator.
struct tail_index {
	double index; // NaN where the values are all equal
	double se;
	double lo, hi; // interval at the level asked for, by the normal law
};

// The largest value that does not belong to the tail.
static inline double tail_threshold(const struct tail *tail)
{
	return tail->rising[tail->n - tail->k - 1];
}

// The i-th largest value, 1 <= i <= n.
static inline double tail_value(const struct tail *tail, size_t i)
{
	return tail->rising[tail->n - i];
}

// The tail of the largest share (0 < share < 1) of the values above 0, at least one and fewer than all of
// them; k is 0 where fewer than two are above 0.
struct tail tail_of_share(const double *rising, size_t n, double share);

// index -+ z se.
struct tail_index tail_index_make(double index, double se, double level);

#endif
