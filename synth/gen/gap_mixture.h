// SPDX-License-Identifier: GPL-3.0-or-later
// The bursty pulse train's parameters from the gaps between one source's packets, by maximum likelihood.
//
// A train whose silence is counted from the last packet is a renewal process: each gap, whatever came before,
// is a silence with probability q = 1/pulses (the geometric law has no memory) and else an inter-pulse
// time. So the gaps are independent draws of the density
//	f(x) = q/S exp(-x/S) + (1-q)/d exp(-x/d)
// and hold all there is to know of S, d and q. No window decides which gap is which: a window would
// count silences shorter than itself as inter-pulse times and long inter-pulse times as silences,
// which biases all three the more the closer S and d are. EM finds the neighbourhood (Dempster, Laird
// and Rubin 1977), Newton's method the maximum; the intervals are those of the observed
// information (Wald) in log S, log d and logit q.
//
// Known value: gaps that are exponential are recognised (Schwarz' criterion) and give pulses = 1.
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
	struct gap_parameter silence;     // S, the longer of the two means
	struct gap_parameter pulses;      // 1/q
	struct gap_parameter inter_pulse; // d; 0 where bursts are single packets
	bool single;         // one exponential is as good: Poisson, pulses = 1
	double gaps;         // complete ones
	double log_likelihood;
};

// level is that of the intervals, in (0, 1). Values of 0 count as half a unit. TR_ERROR where there is
// no complete gap.
enum tr_status gap_mixture_fit(const struct gap_sample *sample, double level, struct gap_fit *out,
			       struct tr_error *err);

#endif
