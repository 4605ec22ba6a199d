// SPDX-License-Identifier: GPL-3.0-or-later
// Messages found in the packets of a conversation from their sizes and times alone, for traffic
// whose bytes are gone or whose headers are not known.
//
// TCP cuts what a program writes into segments of one largest size; a shorter one, or a pause, ends
// a piece, and a message usually is a piece. Sizes seen before, the handshake before large messages
// (one small segment that way, one back, then data: every MPI has it), and acknowledgements that a
// sender waits for tell where pieces are one message that the window cut, or several that were
// joined: division.h. Small segments that belong to no large message are messages of their own.
//
// What sizes and times cannot show: messages that TCP joined are one unless their sizes are known,
// a message that the window cuts is several unless its size is known or the cut shows in
// acknowledgements, and headers of the protocol count as bytes of the message.
//
// Memory: 200 bytes for each conversation, and 72 for each piece held, of which there are up to
// PIECES_MAX in each direction: messages are reported late. What has not ended is freed by
// rule_finish or rule_close.
#ifndef MESSAGES_RULE_H
#define MESSAGES_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "messages/division.h"
#include "messages/sizes.h"
#include "messages/train_gaps.h"

#define RULE_SMALL_MAX 256u // bytes of payload: more is no header alone
#define RULE_ENDED_MAX \
	(2 * (DIVISION_MAX + 2 * PIECES_MAX)) // messages that one segment, or the end, can end

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

// One direction of a conversation.
struct rule_side {
	struct piece *pieces; // owned; in order; the last one may go on
	uint32_t count, capacity;
	int64_t last_ticks;   // of its last segment
	int64_t before_ticks; // of the last but one of its piece
	uint32_t last_B;
	int64_t acknowledged_ticks; // of the last acknowledgement of this direction
	int64_t asked_ticks;	    // time of the last request
};

// What messages have shown of the program and its library. Zero is valid: nothing yet.
struct rule_known {
	struct sizes_seen sizes;
	uint32_t request_B, votes; // size of requests by majority
};

// How trains of full segments ended, since a larger segment.
struct rule_trains {
	uint32_t went_on;     // full segments that another one followed at once
	uint32_t ended_short; // by a shorter one
	uint32_t ended_full;  // at a silence
	bool none;	      // the largest segment is the size of a message, and none is full
	bool written;	      // likewise, as the caller says
};

// A conversation: the two directions of a connection, or of a pair of nodes. Made by rule_open.
struct rule {
	struct rule_side sides[2];
	struct rule_known *known; // lent
	uint32_t largest_B;	  // largest segment so far, or as the caller knows it beforehand
	struct train_gaps gaps;
	struct rule_trains trains;
	bool keeps_trains; // set by the caller: the largest segment is always full
	bool failed;	   // out of memory: segments were left out
};

// Starts an empty conversation. largest_B: its largest segment if that is known beforehand (a
// second pass over the packets), else 0. usual_gap_ticks: gap within trains to begin with, counted
// as the first one of each direction. known: lent until the end; conversations of the same program
// share it, and learn from each other.
void rule_open(struct rule *rule, struct rule_known *known, uint32_t largest_B,
	       int64_t usual_gap_ticks);

// Segments so far of the piece that may go on in this direction: 0 if the last segment ended it.
uint64_t rule_train(const struct rule *rule, unsigned direction);

// Takes the next segment: time (rising over both directions), direction (0 or 1), bytes of payload
// (0: an acknowledgement of the other direction). Segments of a connection come in the order of its
// bytes, without repetition. Writes the messages that have ended, at most RULE_ENDED_MAX, in order
// of their ends per direction; returns how many. Out of memory it leaves the segment out, which
// shows in rule->failed.
size_t rule_add(struct rule *rule, int64_t ticks, unsigned direction, uint32_t payload_B,
		struct rule_message out[RULE_ENDED_MAX]);

// TCP says that each segment of the largest size so far ends a write of the program: none is full
// until a larger one comes. false revokes this.
void rule_ends_written(struct rule *rule, bool ends);

// Learns from what has not ended yet, for all that share. Call it for each of them before the first
// rule_finish.
void rule_learn(struct rule *rule);

// Ends messages of a direction whose pieces are PIECES_MAX, so that there is room for more. For
// rule_add.
size_t rule_make_room(struct rule *rule, unsigned direction, struct rule_message *out);

// Ends what is open, and frees it. The conversation may go on afterwards, but has to learn its gaps
// again.
size_t rule_finish(struct rule *rule, struct rule_message out[RULE_ENDED_MAX]);

// Frees what is open without ending it.
void rule_close(struct rule *rule);

// Bytes that the conversation holds, without the struct itself.
size_t rule_held_bytes(const struct rule *rule);

#endif
