// SPDX-License-Identifier: GPL-3.0-or-later
// Messages found in the packets of a trace, between each two nodes by the rule, and how their
// trains flow. Memory: 4 bytes a packet and those of conversations.h while they are found, then 8 a
// packet and about 200 a message.
#ifndef GEN_FAMILIES_MESSAGES_FOUND_H
#define GEN_FAMILIES_MESSAGES_FOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "messages/conversations.h"
#include "stat/nodes/packet_sample.h"
#include "value/status.h"

// A growing column of numbers. Zero is a valid empty one.
struct column {
	double *values; // owned
	size_t count, capacity;
	bool failed; // memory ran out: values are missing
};

// Adds a value, or notes that memory ran out.
void column_add(struct column *column, double value);

// The median, which sorts the column; 0 where it is empty.
double column_middle(struct column *column);

// The mean of the values first .. end - 1; 0 if there are none.
double column_mean(const struct column *column, size_t first, size_t end);

// Sorts gaps, and returns how many of them are short beside this mean: packets in pairs.
size_t column_shorts(struct column *gaps, double mean_ticks);

struct found {
	struct rule_message of;
	uint32_t src, dst; // of the model
	bool part;	   // what follows a stop in a message, or a packet that was not full
};

// Zero is a valid empty one; message_search_clear frees it.
struct message_search {
	const struct packet_sample *sample; // lent
	uint32_t *number;		    // of the model's node, by id: controllers first
	uint32_t nodes, controllers;
	struct conversations conversations; // while messages are found, as is next: of each packet
					    // the pair's next one
	uint32_t *next;
	struct found *found; // in order of their ends, but for parts, which follow one another
	size_t found_count, found_capacity;
	double segment_B;	   // largest payload
	int64_t network_gap_ticks; // upper quartile of those between packets with payload, whoever
				   // sends
	struct column gaps,
		first_gaps; // in ticks, before full packets of a message; between its first two
	struct column places[2]; // of these, unless they were sorted: full packets of the
				 // message before, by its bytes; negative if its sender had sent
				 // data shortly before the message
	struct column part_gaps, part_first_gaps; // likewise of the parts of messages
	struct column tails[2]; // gaps before a last packet of these that is not full, the third
				// or later; those before at least a quarter of a full one, as they
				// would be before a full one
	struct column acknowledge_after, answer_before; // in ticks
	struct column requests, answers;		// bytes of payload
	double acknowledgements, headers_B,
		packets; // headers of packets with payload, and their number
};

// Finds the messages of a sample. TR_ERROR: too many pairs of nodes, or out of memory; *out must be
// cleared all the same.
enum tr_status message_search_run(struct message_search *out, const struct packet_sample *sample,
				  struct tr_error *err);

// TR_ERROR: there are no messages, or most bytes are in packets of their own, which shows none.
enum tr_status message_search_check(const struct message_search *search, struct tr_error *err);

// Frees what it holds; it is empty then.
void message_search_clear(struct message_search *search);

#endif
