// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the tail of a sample is a power law.
#ifndef STAT_HEAVY_TAIL_H
#define STAT_HEAVY_TAIL_H

#include <stddef.h>

#include "stat/intervals/verdict.h"
#include "stat/tests/tail.h"
#include "stat/tests/tail_law.h"

// ---- Whether a lognormal tail passes for a power law (Malevergne, Pisarenko and Sornette 2011; del Castillo and Puig 1999).

struct log_variation {
	double coefficient; // standard deviation of log y over its mean: 1 for Pareto's law, less for the lognormal
	double p;	    // of a coefficient as small if the law is Pareto's
};

// For y[k] = x / threshold, each >= 1: the uniformly most powerful unbiased test of Pareto's law against the
// lognormal one beyond the threshold, with its normal limit. NaN if all are 1.
struct log_variation pareto_against_lognormal(const double *y, size_t k);

// ---- Whether the tail of a sample is a power law: indices (Hill 1975, and tail.h), fits of five laws (tail_law.h), Vuong's test
// of two (Vuong 1989), and their joint answer.

#define HEAVY_TAIL_LAWS 5
#define HEAVY_TAIL_METHODS 4

struct heavy_tail {
	struct tail tail;
	double threshold;
	double ties; // share of the tail's values that equal a neighbour
	struct tail_index log_log, hill, moment;
	struct hill_stability stability;
	struct hill_stability bent;	       // of the values that the fitted generalised Pareto law maps to a power law
	struct tail_fit fits[HEAVY_TAIL_LAWS]; // in the order of tail_laws
	struct vuong against_pareto[HEAVY_TAIL_LAWS];
	size_t best;					  // of fits, by AIC
	struct vuong heavy_light;			  // the best power law against the best of the others
	struct method_result methods[HEAVY_TAIL_METHODS]; // hill, lognormal, bent, laws
	double p; // the lesser of the two tests of Pareto's law, which an answer no must reject
	enum verdict answer;
	char sentence[VERDICT_SENTENCE];
};

// Doubles of workspace for n values.
size_t heavy_tail_workspace(size_t n);

// Judges the largest share (0 < share < 1) of the values above 0 of rising[n], which must outlive out; intervals at level.
// Two laws end in a power: Pareto's is rejected if Hill's index is not constant over the tail, or the logs vary less than an
// exponential law's (as a lognormal law's do); the generalised Pareto law, which bends near the threshold, is rejected if the
// index is not constant after removing the bend, or not significantly above 0. The answer is
// yes if Pareto's is not rejected at the joint level and nearer than the exponential law by Vuong's test, or the generalised one is not and is nearer to the tail than the lognormal, Weibull's and
// the exponential law by Vuong's test;
// no if both are rejected, or one of those three laws is nearer than both;
// unknown otherwise, below 200 values or 30 different ones, and if the tail's values are all equal (the numbers are then NaN).
void heavy_tail_judge(struct heavy_tail *out, const double *rising, size_t n, double share, double level, double *workspace);

#endif
