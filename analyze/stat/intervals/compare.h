// SPDX-License-Identifier: GPL-3.0-or-later
// Whether means differ, and scores of alternatives based on that, as in Yates 1997, chapter 4.
#ifndef STAT_COMPARE_H
#define STAT_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/intervals/interval.h"

// ---- Whether two means differ, by the visual test of their intervals and, if that is
// inconclusive, the unpaired t test (Jain: The Art of Computer Systems Performance Analysis, 1991,
// section 13.4; Yates 1997, chapter 4).

// Independent samples: their mean, standard deviation (divisor n - 1) and number.
struct sample {
	double mean;
	double sd;
	double n;
};

// A sample taken value by value (Welford 1962). Zero is a valid empty one.
struct sample_sums {
	double n, mean, squares; // of the distances from the mean
};

// Adds a value; leaves out one that is not finite.
void sample_sums_add(struct sample_sums *sums, double value);

// NaN where values are too few: the mean of none, the deviation below two.
struct sample sample_of_sums(const struct sample_sums *sums);

enum compare_rule {
	COMPARE_DISJOINT, // the intervals are disjoint: the means differ
	COMPARE_INSIDE,	  // they overlap, and one mean lies in the other's: no difference
	COMPARE_T_TEST,	  // they overlap, and no mean does: the t test decides
};

struct comparison {
	enum compare_rule rule;
	bool differ;
	double difference;	  // a's mean - b's
	struct interval interval; // of the difference, by the t test, whatever the rule
	double freedom;		  // of the t test
};

// Student's interval of the mean at level in (0, 1); NaN bounds below two samples.
struct interval sample_interval(const struct sample *sample, double level);

// Compares a with b at level. Both have at least two samples. The interval of the difference is
// +- t(1/2 + level/2; v) se with se^2 = sa^2/na + sb^2/nb and
// v = se^4 / ((sa^2/na)^2/(na+1) + (sb^2/nb)^2/(nb+1)) - 2 (Jain's form; infinite where se is 0).
struct comparison sample_compare(const struct sample *a, const struct sample *b, double level);

// The interval of a's mean - b's at level: that of the t test, or where one is a single value,
// which counts as exact, Student's of the other. NaN bounds for two single values.
struct interval sample_difference(const struct sample *a, const struct sample *b, double level);

// Samples for a mean to percent at level (stat/intervals/interval.h), by the normal quantile.
double sample_needed(const struct sample *sample, double level, double percent);

// The confidence level that the sample attains for its mean to percent: 2 F(t; n-1) - 1 with
// t = percent mean sqrt(n) / (100 sd) (equation 3.7 of Yates 1997). NaN below two samples.
double sample_attained(const struct sample *sample, double percent);

// ---- Scores of alternatives as in the tables of Yates 1997, chapter 4: of k alternatives the best
// gets k, the next k - 1, down to 1; those that do not differ share the sum of their places.

// The ranking's input: count means, higher is better unless lower is set, and whether two of them
// differ.
struct ranking {
	const double *means;
	size_t count;
	bool lower;
	bool (*differ)(const void *context, size_t a, size_t b);
	const void *context;
};

// Fills scores[count]. From the best on, an alternative ties with the group before it if it does
// not differ from that group's best. order[count] is workspace, and holds afterwards the
// alternatives from best to worst, equal means by their number.
void scores_rank(const struct ranking *ranking, double *scores, size_t *order);

// Means over blocks of the scores of one alternative, scores[0 .. blocks - 1], with the weights of
// the blocks (their sum > 0).
struct score_means {
	double plain;	 // sum s / blocks
	double weighted; // sum w s / sum w
	double printed;	 // sum w s / blocks^2: as the thesis divides twice
};
struct score_means scores_means(const double *scores, const double *weights, size_t blocks);

#endif
