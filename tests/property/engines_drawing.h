// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the files that draw cases.
#ifndef TESTS_ENGINES_DRAWING_H
#define TESTS_ENGINES_DRAWING_H

#include "engines_case.h"
#include "value/random.h"

#define SWITCHES_MAX 6u
#define PORTS_MAX 16u

// State of a draw besides the case.
struct draw {
	struct tr_random random;
	struct engines_case *item;
	uint32_t used[SWITCHES_MAX]; // ports of each switch that have cables: the first ones
	int64_t character_ticks;     // at the usual rate
	bool own_rates;		     // some cables have their own
	int64_t delay_ticks;	     // the longest
	uint32_t largest;	     // worm
};

static inline uint64_t below(struct draw *draw, uint64_t n)
{
	return tr_random_below(&draw->random, n);
}

static inline bool one_in(struct draw *draw, uint64_t n)
{
	return below(draw, n) == 0;
}

// From 1 to 2^bits - 1, uniform over magnitudes.
static inline int64_t magnitude(struct draw *draw, unsigned bits)
{
	return 1 + (int64_t)below(draw, (UINT64_C(2) << below(draw, bits)) - 1);
}

static inline struct num_ratio ratio(int64_t num, int64_t den)
{
	struct num_ratio out = {0, 1};

	num_ratio_make(num, den, &out);
	return out;
}

static inline struct num_ratio seconds(int64_t ticks)
{
	return ratio(ticks, (int64_t)ENGINES_TICKS_PER_S);
}

// Adds timeouts, BEATs, faults, bit errors, wrong routes and reactions to an otherwise complete
// case.
void engines_draw_losses(struct draw *draw);

#endif
