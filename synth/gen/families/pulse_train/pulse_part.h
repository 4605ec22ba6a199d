// SPDX-License-Identifier: GPL-3.0-or-later
// The fit of one part of a pulse train: its bursts, the mixture of its gaps, and its sizes.
#ifndef GEN_FAMILIES_PULSE_PART_H
#define GEN_FAMILIES_PULSE_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/families/pulse_train/pulse_train.h"
#include "gen/tally.h"
#include "stat/bursts/burst.h"
#include "stream/record.h"
#include "value/id_pages.h"
#include "value/status.h"

// ---- The fit of one role and class: pulse_fit.c calls the estimators of times and of sizes.

// A fit of one role and class; owns nothing.
struct part_fit {
	const struct pulse_fit_options *options;
	const struct pulse_tally *tally;
	const struct burst_statistics *bursts; // of PULSE_BURSTS; else NULL
	struct pulse_part *part;	       // receives the parameters
	struct pulse_notes *notes;	       // and the notes on them
};

// Silence, pulses and inter-pulse time. duration_s is that of the trace.
enum tr_status part_fit_times(const struct part_fit *fit, double duration_s, struct tr_error *err);

// The sizes; mtu_B is the largest of all. Afterwards the part may own bins.
enum tr_status part_fit_sizes(const struct part_fit *fit, double mtu_B, struct tr_error *err);

// ---- What one node sent of one class, for the fit of a pulse train; tallies of a role are merged.

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

// Adds a packet of the node; packets must come in time order.
void pulse_tally_add(struct pulse_tally *tally, const struct tr_packet *packet);

// Ends the trace at end_ticks: records the open gap. No more packets then.
void pulse_tally_end(struct pulse_tally *tally, int64_t end_ticks);

// Adds the tally of another node of the role; both are ended.
void pulse_tally_merge(struct pulse_tally *into, const struct pulse_tally *from);

// Whether memory ran out somewhere.
bool pulse_tally_failed(const struct pulse_tally *tally);

// Frees what it holds; it is empty then.
void pulse_tally_clear(struct pulse_tally *tally);

// The packets of a sender.
struct pulse_node {
	struct pulse_tally tallies[PULSE_CLASSES];
	bool sends; // else the tallies are not made
};

// The senders. Zero is a valid empty one.
struct pulse_nodes {
	struct tr_id_pages pages; // struct pulse_node by id
};

// A sender, made if it is not; NULL if out of memory.
struct pulse_node *pulse_nodes_make(struct pulse_nodes *nodes, uint32_t id, struct tr_error *err);

// The sender of an id; NULL if it sends nothing.
struct pulse_node *pulse_nodes_at(const struct pulse_nodes *nodes, uint32_t id);

// The first sender from *id on, which becomes its id; NULL if there is none.
struct pulse_node *pulse_nodes_next(const struct pulse_nodes *nodes, uint32_t *id);

// Frees what it holds; it is empty then.
void pulse_nodes_clear(struct pulse_nodes *nodes);

// ---- The bursts of all packets, and of every node and class.

// Zero is a valid empty one; pulse_bursts_set must come before the first packet.
struct pulse_bursts {
	struct burst_gaps gaps;
	bool by_node; // keeps those of nodes
	struct burst_gap_counts all;
	int64_t last_ticks;
	struct tr_id_pages nodes; // struct pulse_node_bursts by id
};

// The bursts of a node, opened with the first packet.
struct pulse_node_bursts {
	struct burst bursts[PULSE_CLASSES];
};

// TR_ERROR: the given gap is not a whole number of ticks.
enum tr_status pulse_bursts_set(struct pulse_bursts *bursts, const struct burst_gap_rule *rule,
				bool by_node, uint64_t ticks_per_s, struct tr_error *err);

// Adds a packet of any node; pulse_bursts_add_to, then, that of a node and class. TR_ERROR if out
// of memory.
void pulse_bursts_add(struct pulse_bursts *bursts, int64_t ticks);
enum tr_status pulse_bursts_add_to(struct pulse_bursts *bursts, uint32_t node,
				   enum pulse_class class, int64_t ticks, uint64_t size_bytes,
				   struct tr_error *err);

// Chooses the burst gap: of all packets as one train, or of those of each node and class.
struct burst_gap pulse_bursts_choose(const struct pulse_bursts *bursts, bool by_node,
				     enum burst_gap_by by);

// Adds the bursts of a node by this gap.
void pulse_bursts_pool(const struct pulse_bursts *bursts, uint32_t node, enum pulse_class class,
		       const struct burst_gap *gap, struct burst_statistics *into);

// Frees what it holds; it is empty then.
void pulse_bursts_clear(struct pulse_bursts *bursts);

// ---- The bursty pulse train's parameters from the gaps between one source's packets, by maximum
// likelihood.
//
// If silence is counted from the last packet the train is a renewal process: each gap, independent
// of the past, is a silence with probability q = 1/pulses (the geometric law has no memory),
// otherwise an inter-pulse time. So the gaps are independent draws from the density
//    f(x) = q/S exp(-x/S) + (1-q)/d exp(-x/d)
// and sufficient for S, d and q. No window classifies the gaps: it would count silences shorter
// than itself as inter-pulse times and long inter-pulse times as silences, which biases all three
// the more the closer S and d are. EM finds the neighbourhood (Dempster, Laird and Rubin 1977),
// Newton's method the maximum; the intervals are Wald's, from the observed information in log S,
// log d and logit q.
//
// Unless two exponentials are at least 20 times as likely as one, the answer is one: pulses = 1, a
// Poisson process. That happens for Poisson traffic (except 1 trace in 50) and for traces too short
// to tell S from d.
//
// S is at most the sum of all gaps, complete or open: if only open ones are long the likelihood has
// no maximum, and S is set, without an interval, as if one silence had ended.
//
// Known value: gaps of only two values, far apart, N and n of them, give these and 1 + n/N.

struct gap_sample {
	const struct tally_value *gaps; // complete gaps
	size_t count;
	const struct tally_value *open; // gaps cut short by the end of the trace: lower bounds
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

// level of the intervals, in (0, 1). Values of 0 count as half a unit. TR_ERROR where there is no
// complete gap.
enum tr_status gap_mixture_fit(const struct gap_sample *sample, double level, struct gap_fit *out,
			       struct tr_error *err);

// ---- Maximum likelihood mean and variance of a normal whose values are redrawn below a floor and
// clipped at the largest size: the values below the largest are a truncated sample, those at it are
// censored (Tobin 1958). Newton's method in the mean and the logarithm of the deviation; Wald
// intervals from the observed information (of the variance on the log scale).
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

// The floor is the sample's smallest value; values are whole bytes. level is that of the intervals.
// Returns false where there is no maximum (fewer than two different values, or the sample falls off
// from its floor as no normal does); *out is then undefined.
bool clipped_normal_fit(const struct tally_value *sizes, size_t count, double mtu_B, double level,
			struct size_fit *out);

#endif
