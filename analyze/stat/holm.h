// SPDX-License-Identifier: GPL-3.0-or-later
// One joint level for several tests.
#ifndef STAT_HOLM_H
#define STAT_HOLM_H

#include <stddef.h>

#include "stat/verdict.h"

// Fills adjusted[count] with Holm's probabilities: rejecting those below a level rejects any true hypothesis with at most that
// probability, however the tests depend on one another. NaN is no test, and stays. p and adjusted must not overlap.
void holm_adjust(const double *p, size_t count, double *adjusted);

// What a verdict with probability p is jointly: a rejection, p at most VERDICT_LEVEL, that the joint probability does not bear out
// is unknown, and the sentence says so.
enum verdict holm_verdict(enum verdict verdict, double p, double joint, char sentence[VERDICT_SENTENCE]);

#endif
