// SPDX-License-Identifier: GPL-3.0-or-later
// Distances of two distributions, and whether two series of dependent values have the same
// distribution.
#ifndef STAT_DISTANCE_H
#define STAT_DISTANCE_H

#include "stat/counts/value_counts.h"
#include "stat/intervals/interval.h"
#include "stat/intervals/quantile.h"

// ---- Distances of two distributions.

struct distance {
	double ks;  // Kolmogorov-Smirnov: largest difference of the shares up to a value, 0 .. 1
	double ad;  // Anderson-Darling: squared differences of the shares, weighted where both are
		    // near 0 or 1 (Scholz and Stephens 1987); grows with the samples
	double emd; // earth mover's: the area between the shares, in the values' unit (Vallender
		    // 1974)
};

// For two histograms, each with its unit; uses the middles of the buckets, so values that differ by
// less than 0.8 % may count as equal or not. NaN if one is empty.
struct distance distance_between(const struct quantile *a, double a_unit, const struct quantile *b,
				 double b_unit);

// ---- The distribution of a sequence of whole numbers, in all and in 32 to 63 blocks of
// consecutive ones: the differences of the blocks show how well the whole is known, whatever the
// dependence inside them. The block size doubles when all are full.

#define BLOCK_SAMPLE_BLOCKS 64u
#define BLOCK_SAMPLE_LOG2 12u // different values in a block before they are rounded

// Zero is a valid empty one. At most 8.3 MiB.
struct block_sample {
	struct value_counts all;
	struct value_counts blocks[BLOCK_SAMPLE_BLOCKS];
	uint32_t count; // whole blocks
	uint64_t width; // values in each, a power of two; 0 before the first value
	uint64_t open;	// values in blocks[count]
};

// Adds a value times times. TR_ERROR if out of memory.
enum tr_status block_sample_add(struct block_sample *sample, uint64_t value, uint64_t times,
				struct tr_error *err);

// Frees its memory; the sample is empty afterwards.
void block_sample_clear(struct block_sample *sample);

// ---- Whether two series of dependent values have the same distribution: a block bootstrap
// (Buehlmann 1994; Buecher and Kojadinovic 2016).

#define DISTANCE_TEST_BLOCKS 16u // fewest of each side

// Values kept exactly by block_sample are exact here. Below DISTANCE_TEST_BLOCKS whole blocks on a
// side all but apart is NaN.
struct distance_test {
	struct distance apart;	 // of all values; NaN if one side has none
	struct interval ks, emd; // intervals for the distances of the two laws
	double ks_p, ad_p;	 // probability of a distance as large if the two laws are the same
	double widened_a, widened_b; // by what factor dependence between blocks widens the
				     // intervals; 1: independent
};

// Intervals at level in (0, 1). TR_ERROR if out of memory.
enum tr_status distance_test_make(const struct block_sample *a, const struct block_sample *b,
				  double level, struct distance_test *out, struct tr_error *err);

#endif
