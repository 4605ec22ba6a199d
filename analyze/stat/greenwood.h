// SPDX-License-Identifier: GPL-3.0-or-later
// The law of the sum of squares of the shares that independent exponential values have in their sum.
#ifndef STAT_GREENWOOD_H
#define STAT_GREENWOOD_H

// Probability of a sum of squared shares as large as g among count values, count >= 3: right to a tenth of itself from 32
// values on, down to 1e-3.
double greenwood_p(double g, double count);

#endif
