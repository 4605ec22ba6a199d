// SPDX-License-Identifier: GPL-3.0-or-later
// Messages found in the packets of a conversation from their sizes and times alone, for traffic whose bytes are gone or whose
// headers are not known.
//
// TCP cuts what a program writes into segments of one largest size; a shorter one ends a message. A message that was requested
// (one small segment that way, one back, then data: the handshake that every MPI makes for large messages) is cut by the
// sender's window as well and may end in a small segment of its protocol, so it ends at a small segment after a pause, at
// another handshake, or at a silence. Pauses and silences are multiples of the mean gap within the conversation's own trains.
// Small segments that belong to no large message are messages of their own.
//
// Sizes seen before tell whether pieces are one message that was cut, or one piece is several that were joined (sizes.h).
//
// What sizes and times cannot show: small messages that TCP joined are one unless their sizes repeat, a message without a
// request that the window always cuts alike is several, and headers of the protocol count as bytes of the message.
//
// Memory: one struct for each conversation, about 2 KiB, without allocation. Messages are reported late: when another one in
// their direction begins, or up to RULE_WAITING_MAX small ones later.
#ifndef MESSAGES_RULE_H
#define MESSAGES_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "messages/sizes.h"

#define RULE_WAITING_MAX 8u
#define RULE_SMALL_MAX 256u // bytes of payload: more is no header alone
#define RULE_HELD_MAX 4u    // pieces in each direction that may turn out to be one message
#define RULE_ENDED_MAX \
	(2 * (RULE_WAITING_MAX + RULE_HELD_MAX + SIZES_MULTIPLE_MAX) + 2) // messages that one segment, or the end, can end

// A message found. Times are those of its packets.
struct rule_message {
	int64_t begin_ticks; // of the request where there was one, else of the first segment
	int64_t first_ticks; // of the first segment with its bytes
	int64_t end_ticks;   // of the last one
	uint64_t payload_B;  // with what the protocol adds to it
	uint64_t segments;
	uint8_t direction;	      // 0 or 1, as given
	bool requested;		      // a handshake came before it:
	uint32_t request_B, answer_B; // its sizes; an answer within a larger segment: 0
	int64_t answered_ticks;
	bool small; // a single segment of up to RULE_SMALL_MAX bytes: may be of a protocol
};

// A small segment that may turn out to be a request or an answer.
struct rule_waiting {
	struct rule_message small;
	uint32_t overtaken; // messages that began in its direction since
};

// One direction of a conversation.
struct rule_side {
	struct rule_message open; // segments 0: none
	int64_t last_ticks;	  // of its last segment
	uint32_t last_B;
	int64_t before_ticks;	   // of the open message's last segment but one
	int64_t asked_ticks;	   // time of the last request
	uint32_t request_B, votes; // size of requests by majority
	struct sizes_seen sizes;   // of messages without a request
	uint32_t held_count;
	struct rule_message held[RULE_HELD_MAX];
	uint32_t waiting_count;
	struct rule_waiting waiting[RULE_WAITING_MAX]; // in order of time
};

// A conversation: the two directions of a connection, or of a pair of nodes. Made by rule_open.
struct rule {
	struct rule_side sides[2];
	uint32_t largest_B;	 // largest segment so far, or as the caller knows it beforehand
	uint64_t gap_ticks;	 // sum of gaps within trains
	uint64_t gaps;		 // their number
	int64_t usual_gap_ticks; // assumed while there are none
};

// Starts an empty conversation. largest_B: its largest segment if that is known beforehand (a second pass over the packets),
// else 0. usual_gap_ticks: gap within trains to begin with, above 0, replaced by the mean as soon as there are some.
void rule_open(struct rule *rule, uint32_t largest_B, int64_t usual_gap_ticks);

// Takes the next segment: time (rising over both directions), direction (0 or 1), bytes of payload (0: an acknowledgement,
// ignored). Segments of a connection come in the order of its bytes, without repetition. Writes the messages that have ended,
// at most RULE_ENDED_MAX, in order of their ends per direction; returns how many.
size_t rule_add(struct rule *rule, int64_t ticks, unsigned direction, uint32_t payload_B,
		struct rule_message out[RULE_ENDED_MAX]);

// Ends what is open. The conversation may go on afterwards.
size_t rule_finish(struct rule *rule, struct rule_message out[RULE_ENDED_MAX]);

#endif
