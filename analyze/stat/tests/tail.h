// SPDX-License-Identifier: GPL-3.0-or-later
// The upper tail of a sample, and its index by three estimators.
#ifndef STAT_TAIL_H
#define STAT_TAIL_H

#include <stddef.h>

// ---- The upper tail of a sample: its k largest values, and the index of a power law for them.

// The k largest of n values in rising order, 0 < k < n. The threshold is the next smaller one,
// rising[n - k - 1], which must be above 0.
struct tail {
	const double *rising; // lent
	size_t n;
	size_t k;
};

// P(X > x) ~ x^-index, or 1 / the extreme value index of the moment estimator.
struct tail_index {
	double index; // NaN if the values are all equal
	double se;
	double lo, hi; // interval at the given level, by the normal law
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

// The tail of the largest share (0 < share < 1) of the values above 0, at least one and fewer than
// all of them; k is 0 if fewer than two are above 0.
struct tail tail_of_share(const double *rising, size_t n, double share);

// ---- Hill's estimator (Hill 1975), and whether it is stable as the tail grows.

// 1 / mean of log(X_i / threshold) over the k largest values; the error is index / sqrt(k).
struct tail_index hill(const struct tail *tail, double level);

// Fewest values of a group, and the multiple of it that the tail must have for a test.
#define HILL_GROUP_MIN 25
#define HILL_GROUPS_MAX 48
#define HILL_RANGE_MIN 8

// Whether the index is constant over the tail.
struct hill_stability {
	size_t groups;	  // the 25 largest, the next 25, then each as many as all before
	double statistic; // likelihood ratio over the correction of Bartlett 1937; NaN if not
			  // tested
	double p;	  // of a statistic as large if the tail is a power law; or NaN
	double first;	  // index in the 25 largest values
	double last;	  // index in the last group
};

// Groups the k largest values by rank. In a power law the logs of neighbouring values differ by
// independent exponential amounts of mean 1 / (index i) (Renyi 1953), so that i times these have
// the same mean in every group; in a lognormal law they shrink with the rank. Not tested below 200
// values, or if all values of a group are equal.
struct hill_stability hill_stability(const struct tail *tail);

// One point of two plots: Hill's index of the k largest values over k, and the share k / n that is
// above value over value.
struct hill_point {
	size_t k;
	double value; // the largest below the k
	struct tail_index index;
};

// Fills points[] for at most most values of k from 2 on, evenly spaced in logarithm, from the
// values above 0 of rising[n]. Returns their number; 0 if fewer than 3 are above 0.
size_t hill_plot(const double *rising, size_t n, double level, struct hill_point *points,
		 size_t most);

// ---- The slope of the log-log complementary distribution (Gabaix and Ibragimov 2011).

// Least squares of log(rank - 1/2) on log X over the k largest values: the shift of 1/2 removes the
// bias of small samples. The points are dependent: the error is index sqrt(2 / k), not that of the
// regression. k >= 2.
struct tail_index log_log_tail(const struct tail *tail, double level);

// ---- The moment estimator of the extreme value index (Dekkers, Einmahl and de Haan 1989): above 0
// for power laws, 0 for exponential-like tails
// (lognormal and Weibull among them), below 0 where the values have a bound.

// The index g of the k largest values, k >= 2, with its asymptotic error; a power law has index 1 /
// g.
// NaN where they are all equal.
struct tail_index moment_estimator(const struct tail *tail, double level);

// The tail index 1 / g of an estimate of g, with its error by the delta method; NaN if g is not
// above 0, with an infinite upper end if the interval of g contains 0.
struct tail_index moment_estimator_index(const struct tail_index *g);

#endif
