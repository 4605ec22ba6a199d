// SPDX-License-Identifier: GPL-3.0-or-later
// How a frame gets into the trace: count, decode, number, classify, sort, write.
#ifndef PACKET_FEED_H
#define PACKET_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/anonymize.h"
#include "packet/capture_counts.h"
#include "packet/decode.h"
#include "packet/frame.h"
#include "packet/nodes.h"
#include "packet/reorder.h"
#include "packet/seen_twice.h"
#include "packet/tcp_messages.h"
#include "packet/verbs.h"
#include "stream/odd_times.h"
#include "stream/record.h"
#include "stream/writer.h"
#include "value/status.h"

// ---- packet sequence numbers of queue pairs: detects packets that were sent again

// Takes a packet of the reliable services of TR_PROTOCOL_IB; returns whether its number is not
// after the last of its kind: it was sent again, or overtaken. A step back of more than 65,536 is a
// new connection of the queue pair. last: the last number of its flow's requests and of its
// responses to reads, plus one; 0 at first.
bool pk_sequence_resent(uint32_t last[2], const struct pk_packet *packet);

// ---- the trace stream of a capture: opened at its first packet, since the header has the origin
// of time; names are sent before they are used; optionally a new stream starts at each multiple of
// a period

// How to open and end a stream, which the caller owns meanwhile. open returns a writer, or NULL
// after reporting an error; period_s is the start of its period. close writes the counters and the
// end. failed (NULL: not wanted) is called where writing, opening or closing failed: true if frames
// are still wanted, for other outputs; it then closes the writer, if there is one, and no stream is
// opened any more.
struct pk_stream_hooks {
	struct tr_writer *(*open)(void *context, const struct tr_header *header, int64_t period_s);
	bool (*close)(void *context, struct tr_writer *writer);
	bool (*failed)(void *context, struct tr_writer *writer);
	void *context;
};

struct pk_output {
	struct pk_stream_hooks hooks;
	const struct pk_nodes *nodes;
	const struct pk_flows *flows;
	const struct pk_anonymizer *anonymizer; // NULL: addresses as they are
	enum tr_kind kind;			// TR_PACKET where it is 0
	int64_t ahead_ns;			// records have times of so long before their own
	bool unsorted;
	int64_t period_s; // 0: one stream for everything
	struct tr_writer *writer;
	uint32_t sent_nodes;
	uint32_t sent_flows;
	int64_t origin_s;
	int64_t period_end_ns; // of the open stream
	struct tr_times times; // of all streams, in ns
	bool ended;	       // it failed: records are dropped
};

// The end of the period that contains time_ns; INT64_MAX if there is only one stream.
int64_t pk_output_period_end(const struct pk_output *output, int64_t time_ns);

// Names all nodes in another stream.
enum tr_status pk_output_nodes(const struct pk_output *output, struct tr_writer *writer);

// Writes records, whose times are ns since the Unix epoch and become ticks of the stream. TR_ERROR:
// opening or writing failed; the hooks' owner knows of it, or err says why.
enum tr_status pk_output_put(struct pk_output *output, struct tr_packet *records, size_t count,
			     struct tr_error *err);

// The same for a delivery, of the kind TR_DELIVERY; its times that are not -1 become ticks.
enum tr_status pk_output_delivery(struct pk_output *output, struct tr_delivery *delivery,
				  struct tr_error *err);

// Flushes, and declares the stream complete up to time_ns. TR_ERROR: the writer failed; its close
// reports it.
enum tr_status pk_output_flush(struct pk_output *output, int64_t time_ns);

// Ends the stream; without any packet it writes an empty one.
enum tr_status pk_output_finish(struct pk_output *output);

// ---- the feed

// Payloads up to this size are overhead by default (Yates 1997: "86 bytes or less").
#define PK_THRESHOLD_BYTES 86u

// How a frame was decoded: packet with the flags of its record, or NULL and why it has none. Both
// are lent.
typedef void pk_feed_seen(void *context, const struct pk_frame *frame,
			  const struct pk_packet *packet, uint32_t why, uint16_t flags);

// Callers may read frames, counts and order; the rest is private to the feed.
struct pk_feed {
	uint64_t frames;	 // so far; also the id of the last
	struct pk_counts counts; // of the stream that is written
	struct pk_counts later;	 // of frames beyond the period of that stream
	int64_t period_end_ns;	 // where later begins
	struct pk_order order;
	struct pk_output output;
	struct pk_nodes *nodes;	      // the caller's
	struct pk_flows *flows;	      // the caller's
	struct pk_copies *copies;     // the caller's: looks for packets seen before; NULL: none
	struct pk_messages *messages; // the caller's: takes TCP's segments as well; NULL: none
	struct pk_verbs *verbs;	      // the caller's: takes RDMA's packets as well; NULL: none
	uint32_t threshold_bytes;
	uint64_t link_rate_bps; // of links whose rate the capture does not say; 0: unknown
	bool after_loss;	// frames were lost since the last record
	bool outer;		// decode a tunnel's own packet, not the one within
	bool leave_out;		// copies: all packets are examined, else a sample
	pk_feed_seen *seen;	// called for each frame; NULL: none
	void *seen_context;
	uint32_t quick_link; // link whose frames the quick decoder may take
};

// Sets up the sorting of a feed, of at most so many packets; the caller has set its tables, output,
// threshold and outer, the rest is zero.
enum tr_status pk_feed_open(struct pk_feed *feed, int64_t window_ns, enum pk_straggler straggler,
			    size_t most, struct tr_error *err);

// Takes frames. TR_ERROR: a straggler was refused, memory ran out, or the output failed (err is
// then empty if the output's owner knows).
enum tr_status pk_feed_frames(struct pk_feed *feed, const struct pk_frame *frames, size_t count,
			      struct tr_error *err);

// Adds the counts to *total and moves on to the next stream's; to be called after each stream.
void pk_feed_next_counts(struct pk_feed *feed, struct pk_counts *total);

// Fills in the record of a frame's decoded packet, whose nodes and flow are known; it is not put
// into the trace.
void pk_feed_record(struct pk_feed *feed, const struct pk_frame *frame,
		    const struct pk_packet *packet, struct pk_ids ids, struct tr_packet *record);

// Declares that no more frames from before time_ns will come.
void pk_feed_pass(struct pk_feed *feed, int64_t time_ns);

// Writes what is older than the window, and flushes it if the last flush was a second ago.
enum tr_status pk_feed_flush(struct pk_feed *feed, struct tr_error *err);

// Writes everything. The stream stays open.
enum tr_status pk_feed_finish(struct pk_feed *feed, struct tr_error *err);

// Frees what pk_feed_open made.
void pk_feed_close(struct pk_feed *feed);

#endif
