// SPDX-License-Identifier: GPL-3.0-or-later
// How much of a series' dependence survives shuffling within blocks, or of blocks (Erramilli,
// Narayan and Willinger 1996); Monte Carlo ranks (Barnard 1963).
#ifndef STAT_SHUFFLED_CONTROL_H
#define STAT_SHUFFLED_CONTROL_H

#include <stddef.h>
#include <stdint.h>

#include "stat/intervals/verdict.h"
#include "value/status.h"

#define SHUFFLED_CONTROLS 99  // of each ranked kind, if options have 0
#define SHUFFLED_ESTIMATES 39 // most controls of each kind whose H is estimated
#define SHUFFLED_METHODS 2

enum shuffled_kind {
	SHUFFLED_FULL,
	SHUFFLED_EXTERNAL,
	SHUFFLED_INTERNAL,
	SHUFFLED_PHASE,
	SHUFFLED_KINDS
};

struct shuffled_options {
	size_t block;	 // points of a block; 0: the prime at or below the power of 2 at or below
			 // sqrt(n)
	size_t controls; // external and internal; 0: SHUFFLED_CONTROLS
	uint64_t seed;
};

// H of the controls of one kind, by one estimator.
struct shuffled_h {
	double mean, sd; // NaN if none gave an estimate
	double least, most;
	size_t count;
};

struct shuffled_control {
	size_t block, controls, blocks;
	double scale_min, scale_max; // of all estimates: from block / 16 (at least 2) to 16 blocks,
				     // at most n / 8
	const char *methods[SHUFFLED_METHODS]; // names of the estimators: Haar's wavelet and
					       // aggregated variance
	double h[SHUFFLED_METHODS];	       // of the series; NaN if none
	struct shuffled_h by_kind[SHUFFLED_KINDS][SHUFFLED_METHODS];
	double period;	// in points, of the lowest significant peak of the spectrum; NaN if none
	double h_upper; // upper bound at 95 %, one-sided, of H over periods of a block and more
	double power; // probability of finding across in fractional Gaussian noise of H .8 with as
		      // many blocks
	struct method_result inside; // whether points within a block are dependent
	struct method_result across; // whether blocks that are not neighbours are dependent
	enum verdict answer;	     // that of across
	char sentence[VERDICT_SENTENCE];
};

// "full", "external", "internal", "phase".
const char *shuffled_kind_name(enum shuffled_kind kind);

// Doubles of workspace for n points.
size_t shuffled_control_workspace(size_t n);

// Ranks the series among its controls, by correlations and by the highest peak of the spectrum.
// Inside: the sum of the autocorrelations of points 1 to 4 apart, and periods up to a block,
// against internal shuffling. Across: the autocorrelations of the means of blocks 2 to 5 apart, and
// any period, against external shuffling. p combines the two ranks; it is exact at 5 % for any law
// of the points. Dependence is found (yes) if p is at most 5 %. Across is no if it is not found and
// h_upper is below SHUFFLED_H_LEAST, else unknown. Random numbers are from the streams
// "shuffle/<kind>/<number>" of the seed. Unknown below 1024 points, 16 blocks or 8 points a block.
// TR_ERROR for a constant series or if out of memory.
enum tr_status shuffled_control_test(const double *x, size_t n,
				     const struct shuffled_options *options, double *workspace,
				     struct shuffled_control *out, struct tr_error *err);

// An H below this counts as no long memory.
#define SHUFFLED_H_LEAST 0.6

#endif
