// SPDX-License-Identifier: GPL-3.0-or-later
// The binomial distribution.
#ifndef STAT_BINOMIAL_H
#define STAT_BINOMIAL_H

#include <stdint.h>

// Probability of at most k successes in n trials, each of probability 0 < p < 1. Relative error about
// 1e-13.
double binomial_cdf(uint64_t k, uint64_t n, double p);

#endif
