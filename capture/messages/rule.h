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
// What sizes and times cannot show: two messages that TCP joined in one segment are one, a message that is written in pieces
// (fragments of the protocol) without a request is several, and headers of the protocol count as bytes of the message.
//
// Memory: one struct for each conversation, a few hundred bytes, without allocation; messages that wait to be told from
// requests are at most RULE_WAITING_MAX in each direction.
#ifndef MESSAGES_RULE_H
#define MESSAGES_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RULE_WAITING_MAX 8u
#define RULE_SMALL_MAX 256u				// bytes of payload: more is no header alone
#define RULE_ENDED_MAX (2 * (RULE_WAITING_MAX + 1) + 2) // messages that one segment, or the end, can end

// A message found. Times are those of its packets.
struct rule_message {
	int64_t begin_ticks; // of the request where there was one, else of the first segment
	int64_t first_ticks; // of the first segment with its bytes
	int64_t end_ticks;   // of the last one
	uint64_t payload_B;  // with what the protocol adds to it
	uint64_t segments;
	uint8_t direction; // 0 or 1, as given
	bool requested;	   // a handshake came before it
	bool small;	   // a single segment of up to RULE_SMALL_MAX bytes: may be of a protocol
};

// One direction of a conversation.
struct rule_side {
	struct rule_message open; // segments 0: none
	int64_t last_ticks;	  // of its last segment
	uint32_t last_B;
	int64_t before_ticks;			       // of the open message's last segment but one
	uint32_t waiting_count;			       // small segments that may turn out to be requests or answers
	struct rule_message waiting[RULE_WAITING_MAX]; // in order of time
};

// A conversation: the two directions of a connection, or of a pair of nodes. Zero is a valid empty one.
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
