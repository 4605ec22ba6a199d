// SPDX-License-Identifier: GPL-3.0-or-later
// The way of a frame into the trace: count, decode, number, classify, put in order, put out.
#ifndef PACKET_FEED_H
#define PACKET_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/anonymize.h"
#include "packet/capture_counts.h"
#include "packet/decode.h"
#include "packet/nodes.h"
#include "packet/frame.h"
#include "packet/reorder.h"
#include "trace/id_map.h"
#include "trace/record.h"
#include "trace/status.h"
#include "trace/writer.h"

// ---- packet sequence numbers of queue pairs: which packets were sent again.
// Memory: 8 bytes for each flow up to the last that is a queue pair.

// By flow the last numbers of its requests and of its answers to reads, plus one. Zero is a valid empty one.
struct pk_sequences {
	struct tr_id_array requests;
	struct tr_id_array answers;
	bool failed; // memory ended
};

// Takes a packet of the reliable services of TR_PROTOCOL_IB in a flow below UINT32_MAX; answers
// whether its number is not after the last of its kind. (It was sent again, or overtaken.) A step back
// of more than 65,536 is a new connection of the queue pair.
bool pk_sequence_resent(struct pk_sequences *sequences, uint32_t flow, const struct pk_packet *packet);

// Frees what is held.
void pk_sequences_clear(struct pk_sequences *sequences);

// ---- the trace stream that becomes of a capture: opened when its first packet is known, since the header says the
// origin of time; names sent before they are used; begun anew at multiples of a period where asked

// How a stream is opened and ended; the caller owns it between. open: a writer, or NULL after a
// failure that was reported; period_s is the begin of the period that it is for. close: counters
// and the end.
struct pk_stream_hooks {
	struct tr_writer *(*open)(void *context, const struct tr_header *header, int64_t period_s);
	void (*close)(void *context, struct tr_writer *writer);
	void *context;
};

struct pk_output {
	struct pk_stream_hooks hooks;
	const struct pk_nodes *nodes;
	const struct pk_flows *flows;
	const struct pk_anonymizer *anonymizer; // NULL: addresses as they are
	bool unsorted;
	int64_t period_s; // 0: one stream for all
	struct tr_writer *writer;
	uint32_t sent_nodes;
	uint32_t sent_flows;
	int64_t origin_s;
	int64_t period_end_ns; // of the open stream
};

// The end of the period in which time_ns is; INT64_MAX where one stream is for all.
int64_t pk_output_period_end(const struct pk_output *output, int64_t time_ns);

// Puts records, whose times are ns since the Unix epoch and become ticks of the stream. TR_ERROR:
// opening or writing failed, which the hooks' owner knows of, or err says why.
enum tr_status pk_output_put(struct pk_output *output, struct tr_packet *records, size_t count, struct tr_error *err);

// Sends what is held and says that all up to time_ns is out. TR_ERROR: the writer failed, and tells when it is closed.
enum tr_status pk_output_flush(struct pk_output *output, int64_t time_ns);

// Ends the stream; where no packet came, an empty one is begun first.
enum tr_status pk_output_finish(struct pk_output *output);

// ---- the feed

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
