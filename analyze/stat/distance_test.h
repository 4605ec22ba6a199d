// SPDX-License-Identifier: GPL-3.0-or-later
// Whether two series of dependent values have the same distribution.
#ifndef STAT_DISTANCE_TEST_H
#define STAT_DISTANCE_TEST_H

#include "stat/block_sample.h"
#include "stat/distance.h"
#include "stat/interval.h"

#define DISTANCE_TEST_BLOCKS 16u // of each side at least

// What block_sample keeps exactly is exact here. Below DISTANCE_TEST_BLOCKS whole blocks on a side all but apart is NaN.
struct distance_test {
	struct distance apart;	     // of all values; NaN where one side has none
	struct interval ks, emd;     // hold the distances of the two laws
	double ks_p, ad_p;	     // probability of so large a distance where the two laws are the same
	double widened_a, widened_b; // how much wider the blocks' dependence makes the intervals; 1: they are independent
};

// Intervals at level in (0, 1). TR_ERROR without memory.
enum tr_status distance_test_make(const struct block_sample *a, const struct block_sample *b, double level,
				  struct distance_test *out, struct tr_error *err);

#endif
