// SPDX-License-Identifier: GPL-3.0-or-later
// Messages found in the packets of a trace, between each two nodes by the rule, and how their trains flow.
// Memory: 24 bytes a packet while they are found, then 8 a packet and about 200 a message.
#ifndef GEN_FAMILIES_MESSAGES_FOUND_H
#define GEN_FAMILIES_MESSAGES_FOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "messages/rule.h"
#include "stat/packet_sample.h"
#include "trace/status.h"

// A growing column of numbers. Zero is a valid empty one.
struct column {
	double *values; // owned
	size_t count, capacity;
	bool failed; // memory ended: values are missing
};

// The median, which sorts the column; 0 where it is empty.
double column_middle(struct column *column);

struct found {
	struct rule_message of;
	uint32_t src, dst; // of the model
	bool part;	   // what follows a stop in a message
};

// Zero is a valid empty one; message_search_clear frees it.
struct message_search {
	const struct packet_sample *sample; // lent
	uint32_t *number;		    // of the model's node, by id: controllers first
	uint32_t nodes, controllers;
	struct found *found; // by pair of nodes
	size_t found_count, found_capacity;
	double segment_B;				// largest payload
	int64_t stop_ticks;				// no train stops for longer
	struct column gaps, first_gaps;			// in ticks, before full packets of a message; between its first two
	struct column tail_gaps;			// before others, from the third packet of a message on
	struct column acknowledge_after, answer_before; // in ticks
	struct column requests, answers;		// bytes of payload
	double acknowledgements, headers_B, packets;	// headers of packets with payload, and their number
};

// Finds the messages of a sample. TR_ERROR: there are none, or most bytes are in packets of their own, or out of memory;
// *out must be cleared all the same.
enum tr_status message_search_run(struct message_search *out, const struct packet_sample *sample, struct tr_error *err);

void message_search_clear(struct message_search *search);

#endif
