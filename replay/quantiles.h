// SPDX-License-Identifier: GPL-3.0-or-later
// Quantiles of integers in fixed memory: a histogram whose bins are 1/512 of their octave wide (after HdrHistogram by
// G. Tene), so that an answer is within 0.1 % of the exact one.
#ifndef REPLAY_QUANTILES_H
#define REPLAY_QUANTILES_H

#include <stdint.h>

#define QUANTILES_OCTAVE 512u
#define QUANTILES_BINS (QUANTILES_OCTAVE * 56u)

// Zero is a valid empty one.
struct quantiles {
	uint64_t bins[QUANTILES_BINS];
	uint64_t n;
	int64_t min;
	int64_t max;
};

// value >= 0.
void quantiles_add(struct quantiles *quantiles, int64_t value);

// The value below which a share of at least p lies, p in [0, 1]; -1 where there are none.
int64_t quantiles_get(const struct quantiles *quantiles, double p);

#endif
