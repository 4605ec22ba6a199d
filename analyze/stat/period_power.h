// SPDX-License-Identifier: GPL-3.0-or-later
// How strong a sine must be to be found: what "no period" rules out.
#ifndef STAT_PERIOD_POWER_H
#define STAT_PERIOD_POWER_H

#include "stat/periods.h"

#define PERIOD_POWER 0.9

// Probability that a sine is found by Fisher's g among q ordinates: of any frequency between two of them, and of so high a
// power that at the frequency of an ordinate it raises that one by line times the level beside it. line >= 0, q > 0.
double period_power(double line, size_t q);

// The share of a series' variance, 0 .. 1, that a sine would need to be found with probability PERIOD_POWER, on top of a
// series in which periods were looked for: at the median frequency, or at the one where the series is strongest.
struct period_least {
	double usual, most;
};
struct period_least period_least(const struct periods *periods);

#define PERIOD_NONE_BYTES 200

// Says that no period was found, and how strong one would have been found: "no period that came 8 times and more stands out; a
// sine of 0.86 % of the variance would in 9 of 10 series", and of how much where the series is strongest, if that is twice as
// much. periods->ordinates > 0; PERIOD_NONE_BYTES suffice.
void period_say_none(char *text, size_t bytes, const struct periods *periods);

#endif
