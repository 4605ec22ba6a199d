// SPDX-License-Identifier: GPL-3.0-or-later
// The bursty pulse train's parameters from the gaps between one source's packets, by maximum
// likelihood.
//
// A train whose silence is counted from the last packet is a renewal process: each gap, whatever
// came before, is a silence with probability q = 1/pulses (the geometric law has no memory) and
// else an inter-pulse time. So the gaps are independent draws of the density
//	f(x) = q/S exp(-x/S) + (1-q)/d exp(-x/d)
// and hold all there is to know of S, d and q. No window decides which gap is which: a window would
// count silences shorter than itself as inter-pulse times and long inter-pulse times as silences,
// which biases all three the more the closer S and d are. EM finds the neighbourhood (Dempster,
// Laird and Rubin 1977), Newton's method the maximum; the intervals are those of the observed
// information (Wald) in log S, log d and logit q.
//
// Where two exponentials are not at least 20 times as likely as one, the answer is one: pulses = 1,
// a Poisson process. That is so of Poisson traffic (but for 1 trace in 50) and of traces too short
// to tell S from d.
//
// S is at most the sum of all gaps, complete or open: where only open ones are long it has no maximum, and is taken, without an
// interval, as if one silence had ended.
//
// Known value: gaps of exactly two values, N and n of them, far apart, give these and 1 + n/N.
#ifndef GEN_GAP_MIXTURE_H
#define GEN_GAP_MIXTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "gen/tally.h"
#include "trace/status.h"

struct gap_sample {
	const struct tally_value *gaps; // complete gaps
	size_t count;
	const struct tally_value *open; // gaps that the end of the trace cut short: at least so long
	size_t open_count;
};

struct gap_parameter {
	double value, low, high; // NaN where there is no interval
};

// Times are in the sample's unit.
struct gap_fit {
	struct gap_parameter silence;	  // S, the longer of the two means
	struct gap_parameter pulses;	  // 1/q
	struct gap_parameter inter_pulse; // d; 0 where bursts are single packets
	bool single;			  // one exponential is as good: Poisson, pulses = 1
	double gaps;			  // complete ones
	double log_likelihood;
};

// level is that of the intervals, in (0, 1). Values of 0 count as half a unit. TR_ERROR where there
// is no complete gap.
enum tr_status gap_mixture_fit(const struct gap_sample *sample, double level, struct gap_fit *out, struct tr_error *err);

#endif
