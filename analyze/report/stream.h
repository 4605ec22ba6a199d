// SPDX-License-Identifier: GPL-3.0-or-later
// What the report keeps of one stream of packets, captured or generated. One pass, bounded memory:
// nothing grows with the number of packets.
#ifndef REPORT_STREAM_H
#define REPORT_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "report/findings.h"
#include "report/message_log.h"
#include "report/stream_counts.h"
#include "stat/bursts/microbursts.h"
#include "stat/bursts/traffic.h"
#include "stat/intervals/batches.h"
#include "stat/intervals/moments.h"
#include "stat/nodes/talkers.h"
#include "stream/header.h"
#include "stream/names.h"
#include "value/status.h"

#define STREAM_ALL (TRAFFIC_KINDS - 1) // index of all classes together
#define STREAM_SENDERS 4096u	       // senders x classes whose bursts are kept
#define STREAM_PAIRS 1048576u	       // in the matrix; others are counted together

// Which node is the controller, and the burst gap: known once the stream is finished.
struct stream_findings {
	uint8_t *roles;	  // enum tr_role by node, for the nodes of traffic
	bool roles_given; // by the stream's names
	struct role_finding controller;
	struct burst_gap gap, stream_gap; // of all packets, and of those of each node and class
};

#define STREAM_MICROBURSTS 10u

// The largest microbursts, of the payload.
struct stream_microbursts {
	struct microbursts *search; // NULL: they are not looked for
	int64_t width_ticks;
	const struct microburst *list; // of search, once the stream is finished
	size_t count;
	char why[200]; // they were given up; "": not
};

struct stream {
	const char *label; // in figures and tables; lent
	bool generated;	   // made from a model for comparison
	uint64_t ticks_per_s;
	struct burst_gap_rule burst_rule;
	struct traffic_settings settings;
	struct traffic traffic; // sizes are payload bytes
	struct moments size_bytes[TRAFFIC_KINDS];
	struct moments gap_ticks; // between one packet and the next, whoever sent them
	struct batches size_batches, gap_batches;	 // of the same values, in order
	int64_t longest_gap_ticks, before_longest_ticks; // the first of the longest gaps, and the
							 // time of the packet before it
	struct counts counts; // owned by counting until the stream is finished
	struct counting counting;
	struct hurst hurst;
	struct periodicity periodicity;
	struct verdicts verdicts;
	struct stream_findings found;
	uint32_t senders;		       // see stream_senders
	struct stream_microbursts microbursts; // the largest microbursts
	struct talkers talkers;
	uint32_t joined;	       // nodes of the matrix, by discovery_join
	struct message_log messages;   // found in the packets, if they are searched
	struct message_search *search; // NULL: they are not
};

// Starts an empty one (on the heap: it is large and must not move) for a sorted stream. TR_ERROR if
// out of memory.
enum tr_status stream_open(struct stream **out, const char *label, const struct tr_header *header,
			   const struct burst_gap_rule *burst_rule, struct tr_error *err);

// Looks for messages in the packets that follow. TR_ERROR if out of memory.
enum tr_status stream_search_messages(struct stream *stream, struct tr_error *err);

// Looks for the largest microbursts in the packets that follow, of this width to the nearest tick,
// above 0. TR_ERROR if out of memory.
enum tr_status stream_search_microbursts(struct stream *stream, struct num_ratio width,
					 struct tr_error *err);

// Adds count packets, stride_bytes apart, in time order. Senders beyond STREAM_SENDERS are counted
// as TR_NODE_OTHER. TR_ERROR if out of memory.
enum tr_status stream_add(struct stream *stream, const void *records, size_t stride_bytes,
			  size_t count, struct tr_error *err);

// Completes it: no more may be added. Roles come from names (may be NULL), else from the traffic;
// intervals are at level.
enum tr_status stream_finish(struct stream *stream, const struct tr_names *names, double level,
			     struct tr_error *err);

// Packets of all classes.
uint64_t stream_packets(const struct stream *stream);

// Nodes that sent any payload, other than discovery and multicast (stat/nodes/discovery.h).
uint32_t stream_senders(const struct stream *stream);

// From the first packet to the last, in seconds.
double stream_duration(const struct stream *stream);

// Packets per second over that time; not finite if it is 0.
double stream_rate(const struct stream *stream);

// Whether packets of data and of overhead are told apart: not if none is overhead although some are
// as small as flitfit takes overhead without a class to be.
bool stream_tells_classes(const struct stream *stream);

// Share of the packets that are overhead: by their class, or, if that is not told apart, by their
// size. NaN without packets.
double stream_overhead(const struct stream *stream);

// Name of a class or of STREAM_ALL.
const char *stream_class_name(unsigned class);

// NULL is accepted.
void stream_close(struct stream *stream);

// ---- burst_causes.c
// The causes of bursts in a stream: periods, trains, silences, memory.

// A gap below a tenth of the mean gap is short, within a train; one above ten mean gaps is a
// silence.
#define TRAIN_GAP 0.1
#define SILENCE_GAP 10.0

struct burst_causes {
	double trained; // share of the gaps that are short; 1 - exp(-TRAIN_GAP) in Poisson traffic
	double train;	// packets in a train, on average
	double silent;	// share of the time in silences; (1 + SILENCE_GAP) exp(-SILENCE_GAP) in
			// Poisson traffic
	uint64_t silences;
	double longest_s;    // gap
	double longest_at_s; // since the first packet
};

// For a finished stream; all 0 with fewer than 30 gaps or no duration. From the histogram of the
// gaps: silent is accurate to 1 %.
struct burst_causes burst_causes_find(const struct stream *stream);

// Writes to text sentences on those stronger than in Poisson traffic; returns the length. width_s:
// of the bins whose dispersion comes first, one of the 13.
size_t burst_causes_say(const struct stream *stream, double width_s, char *text, size_t bytes);

#endif
