// SPDX-License-Identifier: GPL-3.0-or-later
// The fit of one part of a pulse train: its bursts, the mixture of its gaps, and its sizes.
#ifndef GEN_FAMILIES_PULSE_PART_H
#define GEN_FAMILIES_PULSE_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/families/pulse_train.h"
#include "gen/tally.h"
#include "stat/burst.h"
#include "trace/record.h"
#include "trace/status.h"

// ---- The fit of one role and class: what pulse_fit.c asks of the estimators of times and of sizes.

// One role and class at work; nothing here is owned.
struct part_fit {
	const struct pulse_fit_options *options;
	const struct pulse_tally *tally;
	const struct burst_statistics *bursts; // by the window; NULL without one
	int64_t window_ticks;
	struct pulse_part *part;   // where the parameters go
	struct pulse_notes *notes; // and what is to say of them
};

// Silence, pulses and inter-pulse time. duration_s is that of the trace.
enum tr_status part_fit_times(const struct part_fit *fit, double duration_s, struct tr_error *err);

// The sizes, of which the largest of all is mtu_B. The part may own bins afterwards.
enum tr_status part_fit_sizes(const struct part_fit *fit, double mtu_B, struct tr_error *err);

// ---- What one node sent of one class, as the fit of a pulse train wants it; those of a role merge.

struct pulse_tally {
	struct tally gaps;  // ticks between packets
	struct tally open;  // ticks from the last packet to the trace's end
	struct tally sizes; // payload bytes
	struct tally to;    // destinations by node id
	uint64_t packets;
	unsigned __int128 header_bytes; // on the wire beside the payload
	int64_t last_ticks;		// valid where packets > 0
};

// An empty one.
struct pulse_tally pulse_tally_make(void);

// Adds a packet of the node; its time is not before the last one's.
void pulse_tally_add(struct pulse_tally *tally, const struct tr_packet *packet);

// The trace ends at end_ticks: notes the open gap. No more packets then.
void pulse_tally_end(struct pulse_tally *tally, int64_t end_ticks);

// Adds what another node of the role sent; both are ended.
void pulse_tally_merge(struct pulse_tally *into, const struct pulse_tally *from);

// Whether memory ended somewhere.
bool pulse_tally_failed(const struct pulse_tally *tally);

void pulse_tally_clear(struct pulse_tally *tally);

// ---- The bursts of every node and class by one window, or by the windows of the search of Yates 1997:
// 0.05, 0.075, ... 5 s.

// Zero is a valid empty one; windows must be set before the first packet.
struct pulse_bursts {
	struct burst_windows windows;
	struct burst (*nodes)[PULSE_CLASSES]; // opened with the first packet
	size_t count;
	size_t chosen;	 // of the windows
	bool no_plateau; // the search found none; the window nearest to 1 s is chosen
};

// window_ticks > 0: this window. 0: those of the search, as far as ticks can tell them apart.
void pulse_bursts_set(struct pulse_bursts *bursts, int64_t window_ticks, uint64_t ticks_per_s);

// Adds a packet. TR_ERROR without memory.
enum tr_status pulse_bursts_add(struct pulse_bursts *bursts, uint32_t node, enum pulse_class class, int64_t ticks,
				uint64_t size_bytes, struct tr_error *err);

// Chooses the window by all streams together.
void pulse_bursts_choose(struct pulse_bursts *bursts);

// Adds the bursts of a node by the chosen window.
void pulse_bursts_pool(const struct pulse_bursts *bursts, uint32_t node, enum pulse_class class, struct burst_statistics *into);

void pulse_bursts_clear(struct pulse_bursts *bursts);

// ---- The bursty pulse train's parameters from the gaps between one source's packets, by maximum
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

// ---- Mean and variance of a normal whose values are drawn again below a floor and cut at the largest
// size, from what is left, by maximum likelihood: the values below the largest are a truncated
// sample, those at it are censored (Tobin 1958). Newton's method in the mean and the logarithm of
// the deviation, Wald intervals of the observed information (of the variance on the log scale).
//
// Known value: without floor and cut these are the sample's mean and variance (divisor n).

struct size_parameter {
	double value, low, high; // NaN where there is no interval
};

struct size_fit {
	struct size_parameter mean_B;
	struct size_parameter variance_B2;
	double distance; // Kolmogorov's, between the fitted distribution and the sample's
};

// The sample's smallest value is taken for the floor; values are whole bytes. level is that of the
// intervals. false where there is no maximum (fewer than two different values, or the sample falls
// off from its floor as no normal does); *out is then undefined.
bool clipped_normal_fit(const struct tally_value *sizes, size_t count, double mtu_B, double level, struct size_fit *out);

#endif
