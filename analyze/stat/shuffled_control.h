// SPDX-License-Identifier: GPL-3.0-or-later
// What part of a series' dependence survives when it is shuffled inside blocks, or across them (Erramilli, Narayan and Willinger
// 1996); ranks by Monte Carlo (Barnard 1963).
#ifndef STAT_SHUFFLED_CONTROL_H
#define STAT_SHUFFLED_CONTROL_H

#include <stddef.h>
#include <stdint.h>

#include "stat/verdict.h"
#include "trace/status.h"

#define SHUFFLED_CONTROLS 99  // of each kind that is ranked, where options have 0
#define SHUFFLED_ESTIMATES 39 // controls of each kind whose H is estimated, at most
#define SHUFFLED_METHODS 2

enum shuffled_kind { SHUFFLED_FULL, SHUFFLED_EXTERNAL, SHUFFLED_INTERNAL, SHUFFLED_PHASE, SHUFFLED_KINDS };

struct shuffled_options {
	size_t block;	 // points of a block; 0: the prime at or below the power of 2 at or below sqrt(n)
	size_t controls; // external and internal; 0: SHUFFLED_CONTROLS
	uint64_t seed;
};

// H of the controls of one kind, by one estimator.
struct shuffled_h {
	double mean, sd; // NaN where none gave an estimate
	double least, most;
	size_t count;
};

struct shuffled_control {
	size_t block, controls, blocks;
	double scale_min, scale_max;	       // of all estimates: from block / 16 (at least 2) to 16 blocks, at most n / 8
	const char *methods[SHUFFLED_METHODS]; // names of the estimators: Haar's wavelet and aggregated variance
	double h[SHUFFLED_METHODS];	       // of the series; NaN where there is none
	struct shuffled_h by_kind[SHUFFLED_KINDS][SHUFFLED_METHODS];
	double period;		     // in points, of the lowest peak that stands out of the spectrum; NaN for none
	double h_upper;		     // upper bound at 95 %, one-sided, of H over periods of a block and more
	double power;		     // chance that across is found in fractional Gaussian noise of H .8 with as many blocks
	struct method_result inside; // whether points inside a block depend on one another
	struct method_result across; // whether blocks do that are not neighbours
	enum verdict answer;	     // that of across
	char sentence[VERDICT_SENTENCE];
};

// "full", "external", "internal", "phase".
const char *shuffled_kind_name(enum shuffled_kind kind);

// Doubles of workspace for n points.
size_t shuffled_control_workspace(size_t n);

// Ranks the series among its controls, by correlations and by the highest peak of the spectrum. Inside: the autocorrelations
// of points 1 to 4 apart, summed, and periods up to a block, against internal shuffling. Across: the autocorrelations of the
// means of blocks 2 to 5 apart, and any period, against external shuffling. p joins the two ranks; it is exact at 5 % whatever
// the law of the points. Dependence is found (yes) where p is at most 5 %. Across is answered with no where it is not found
// and h_upper is below SHUFFLED_H_LEAST, else it is unknown. Random numbers are those of the streams
// "shuffle/<kind>/<number>" of the seed. Unknown below 1024
// points, 16 blocks or 8 points a block. TR_ERROR for a constant series or without memory.
enum tr_status shuffled_control_test(const double *x, size_t n, const struct shuffled_options *options, double *workspace,
				     struct shuffled_control *out, struct tr_error *err);

// Memory below this H is taken for none.
#define SHUFFLED_H_LEAST 0.6

#endif
