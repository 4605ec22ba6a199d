// SPDX-License-Identifier: GPL-3.0-or-later
// Rules for the end of a burst, and their errors on trains whose bursts are known.
#ifndef TESTS_BURST_RULES_H
#define TESTS_BURST_RULES_H

#include "burst_trains.h"

// The gaps of a train in ns, in order and rising; count at least 1.
struct train_gaps {
	size_t count;
	const double *in_order, *rising;
	const struct burst_train *train;
};

// A longer gap ends a burst; INFINITY: there are no bursts. Or marks the ends[count] themselves.
struct train_rule {
	const char *name;
	double (*gap)(const struct train_gaps *gaps);
	void (*mark)(const struct train_gaps *gaps, bool *ends);
};

// The first is the rule of stat/bursts/burst_gap.h, the last the best gap of each train, known from
// its bursts.
extern const struct train_rule train_rules[];
extern const size_t train_rule_count;

// The errors of a rule on count trains of a kind, numbered from 0.
struct train_errors {
	double found;	      // share of the trains in which it found bursts
	double missed;	      // of the true ends, on average over trains
	double false_ends;    // of the found ends
	double count_factor;  // by which the number of bursts is off, geometric mean
	double length_factor; // by which the mean length of bursts is off
};
struct train_errors train_rule_errors(const struct train_rule *rule, const struct burst_kind *kind,
				      unsigned count);

#endif
