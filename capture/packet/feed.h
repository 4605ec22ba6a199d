// SPDX-License-Identifier: GPL-3.0-or-later
// The way of a frame into the trace: count, decode, number, classify, put in order, put out.
#ifndef PACKET_FEED_H
#define PACKET_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/counts.h"
#include "packet/flows.h"
#include "packet/frame.h"
#include "packet/nodes.h"
#include "packet/order.h"
#include "packet/output.h"
#include "packet/sequence.h"
#include "trace/status.h"

// Payloads up to this are overhead by default (Yates 1997: "86 bytes or less").
#define PK_THRESHOLD_BYTES 86u

// Read the frames, the counts and the order's; the rest is the feed's own.
struct pk_feed {
	uint64_t frames;	 // taken so far; also the id of the last
	struct pk_counts counts; // of the stream that is written
	struct pk_counts later;	 // of frames beyond the period of that stream
	int64_t period_end_ns;	 // where these part
	struct pk_order order;
	struct pk_output output;
	struct pk_nodes *nodes; // the caller's
	struct pk_flows *flows; // the caller's
	uint32_t threshold_bytes;
	bool outer;	     // of a tunnel its own packet counts
	uint32_t quick_link; // whose frames the quick decoder may take
	struct pk_sequences sequences;
};

// Sets up the order of a feed whose tables, output, threshold and outer the caller has set; the
// rest is zero.
enum tr_status pk_feed_open(struct pk_feed *feed, int64_t window_ns, enum pk_straggler straggler, struct tr_error *err);

// Takes frames. TR_ERROR: a straggler was refused, memory ended, or the output failed (err is then
// empty where the output's owner knows).
enum tr_status pk_feed_frames(struct pk_feed *feed, const struct pk_frame *frames, size_t count, struct tr_error *err);

// Adds the counts to *total and goes on to those of the next stream; to be called when one is
// ended.
void pk_feed_next_counts(struct pk_feed *feed, struct pk_counts *total);

// No frame from before time_ns will come any more.
void pk_feed_pass(struct pk_feed *feed, int64_t time_ns);

// Gives out what is older than the window, and sends it if a second has passed since something was.
enum tr_status pk_feed_flush(struct pk_feed *feed, struct tr_error *err);

// Gives out everything. The stream stays open.
enum tr_status pk_feed_finish(struct pk_feed *feed, struct tr_error *err);

// Frees what pk_feed_open made.
void pk_feed_close(struct pk_feed *feed);

#endif
