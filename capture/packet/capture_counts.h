// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of all frames of a capture, decoded or not. These are the counters of the trace that
// flitcap writes; their keys are listed in flitcap(1).
#ifndef PACKET_CAPTURE_COUNTS_H
#define PACKET_CAPTURE_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/decode.h"
#include "packet/frame.h"
#include "value/status.h"

// Number of reasons counted separately; all others share one more counter.
#define PK_WHYS_MAX 192u
#define PK_PROTOCOLS_MAX 32u // the same for IP protocols
#define PK_PAUSE_CLASSES 9u  // eight classes; the last is the whole link

struct pk_why_count {
	uint32_t why;
	uint64_t frames;
};

struct pk_protocol_count {
	uint8_t protocol;
	uint64_t packets;
};

// What frames say of congestion.
struct pk_congestion {
	uint64_t markable;	// packets whose senders let switches mark them
	uint64_t marked;	// by switches
	uint64_t notifications; // RoCE's congestion notification packets
	uint64_t pauses;	// frames that ask for a pause, or for its end
	uint64_t mixed;		// of these, with different lengths for several classes
	uint64_t unrated;	// of these, from links of unknown rate
	struct pk_class_pauses {
		uint64_t asked, resumed;
		uint32_t quanta_max;
	} classes[PK_PAUSE_CLASSES];
};

// Zero is a valid empty one.
struct pk_counts {
	uint64_t frames;	    // read, and accepted by the filter
	uint64_t wire_bytes;	    // of these, as they were on the link
	uint64_t rejected;	    // by the filter
	uint64_t untimed;	    // frames without a time stamp
	uint64_t carried;	    // frames whose fraction of a second was a second or more
	uint64_t length_lost;	    // frames whose length the capture lost
	uint64_t length_lost_bytes; // that their headers have beyond what the capture says
	uint64_t length_short;	    // frames with a length below what was captured
	bool timed;		    // first_ns and last_ns are valid
	int64_t first_ns;	    // earliest and latest time
	int64_t last_ns;
	uint64_t copies; // packets that were seen before; estimated if not all were examined
	uint64_t undecoded;
	struct pk_why_count whys[PK_WHYS_MAX];
	uint32_t why_count;
	uint64_t why_other;
	struct pk_protocol_count
		opaque[PK_PROTOCOLS_MAX]; // packets of protocols that are not decoded
	uint32_t opaque_count;
	uint64_t opaque_other;
	struct pk_congestion congestion;
	uint64_t node_other; // packets with a node beyond the table's bound
	uint64_t flow_other; // packets without a flow because of a bound
};

// Counts a frame.
static inline void pk_counts_add(struct pk_counts *counts, const struct pk_frame *frame)
{
	counts->frames++;
	counts->wire_bytes += pk_frame_wire_bytes(frame);
	if (!pk_frame_is_timed(frame)) {
		counts->untimed++;
		return;
	}
	counts->carried += frame->time_state == PK_TIME_CARRIED;
	if (!counts->timed || frame->time_ns < counts->first_ns)
		counts->first_ns = frame->time_ns;
	if (!counts->timed || frame->time_ns > counts->last_ns)
		counts->last_ns = frame->time_ns;
	counts->timed = true;
}

// Counts a frame whose length is lost or contradicts what was captured; packet: as it was decoded,
// NULL if it was not.
void pk_counts_length(struct pk_counts *counts, const struct pk_frame *frame,
		      const struct pk_packet *packet);

// Counts a frame that does not become a packet of the trace, with the reason why.
void pk_counts_undecoded(struct pk_counts *counts, uint32_t why);

// Counts a packet if flitcap does not decode its IP protocol's header.
void pk_counts_opaque(struct pk_counts *counts, uint8_t protocol);

// Counts the record of a pause; first: of its frame.
void pk_counts_pause(struct pk_counts *counts, const struct pk_packet *packet, bool first);

// Adds what other counted to counts.
void pk_counts_merge(struct pk_counts *counts, const struct pk_counts *other);

// Calls each(context, key, value) for every counter that a trace carries, in a fixed order; stops
// at the first status other than TR_OK and returns it.
enum tr_status pk_counts_each(const struct pk_counts *counts,
			      enum tr_status (*each)(void *context, const char *key,
						     uint64_t value),
			      void *context);

#endif
