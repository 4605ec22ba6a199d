// SPDX-License-Identifier: GPL-3.0-or-later
// Probabilities from a few tabled quantiles of a law.
#ifndef STAT_TABLED_LAW_H
#define STAT_TABLED_LAW_H

#include <stddef.h>

// Levels of every table: how often a value as large comes by chance.
#define TABLED_LAW_LEVELS 8
extern const double tabled_law_levels[TABLED_LAW_LEVELS]; // .5 .25 .1 .05 .025 .01 .005 .001

// Probability of a value >= statistic by rising quantiles at those levels, its log linear in between and beyond;
// between 1 and 1e-6. NaN for NaN.
double tabled_law_p(const double quantiles[TABLED_LAW_LEVELS], double statistic);

#endif
