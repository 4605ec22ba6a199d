// SPDX-License-Identifier: GPL-3.0-or-later
// Messages found in the packets between nodes: the rule (rule.h) for each two nodes that talk to
// each other. Where packets can be read twice, a first pass tells the rule the largest segment of
// each pair and the usual gap within its trains. Messages of one segment that always come in pairs
// count as one here: models send trains, and fit better with pairs. Memory: about 400 bytes to 7
// KiB a pair, and 8 bytes for each of up to LOOK_GAPS gaps of a pair from the first pass to the
// second.
#ifndef MESSAGES_CONVERSATIONS_H
#define MESSAGES_CONVERSATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "messages/rule.h"
#include "value/hash.h"
#include "value/status.h"

#define LOOK_GAPS 999u // that the first pass looks at

// Two nodes and what was found between them.
struct conversation {
	uint32_t low, high; // their ids; direction 0 is from the lower one
	uint32_t index;	    // in order of appearance
	bool begun;	    // the rule has a segment
	struct rule rule;
	struct rule_known *known; // lent from the conversations
	uint32_t largest_B;	  // of the first pass, as are these:
	int64_t gap_ticks;	  // usual within trains
	int64_t last_ticks[2];
	uint32_t last_B[2];
	int64_t *gaps; // owned
	uint32_t gap_count;
};

// Made by conversations_open; not to be moved then.
struct conversations {
	uint32_t most;		 // pairs
	int64_t usual_gap_ticks; // of pairs whose own is not known
	struct conversation **pairs;
	uint32_t count, capacity;
	struct tr_hash places;
	struct rule_known known; // that all share
};

// A message, and its nodes.
struct conversation_message {
	struct rule_message of;
	uint32_t src, dst;
};

// Starts without conversations. most: pairs of nodes that are told apart. conversations_clear frees
// what is added.
void conversations_open(struct conversations *conversations, uint32_t most, double ticks_per_s);

// The conversation of two different nodes, made at its first packet and lent until the end. TR_END:
// there are as many as may be.
enum tr_status conversations_find(struct conversations *conversations, uint32_t src, uint32_t dst,
				  struct conversation **out, struct tr_error *err);

// Takes a segment in a first pass: time (rising), sender, bytes of payload. TR_ERROR: out of
// memory.
enum tr_status conversation_look(struct conversation *conversation, int64_t ticks, uint32_t src,
				 uint32_t payload_B, struct tr_error *err);

// Takes the next segment, as rule_add, and writes the messages that have ended. Returns how many.
size_t conversation_add(struct conversation *conversation, int64_t ticks, uint32_t src,
			uint32_t payload_B, struct conversation_message out[RULE_ENDED_MAX]);

// Learns from what has not ended yet, before the first conversation_finish.
void conversations_learn(struct conversations *conversations);

// Ends what is open, as conversation_add.
size_t conversation_finish(struct conversation *conversation,
			   struct conversation_message out[RULE_ENDED_MAX]);

// Frees what it holds; it is empty then, with the same bound.
void conversations_clear(struct conversations *conversations);

#endif
