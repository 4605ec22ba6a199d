// SPDX-License-Identifier: GPL-3.0-or-later
// The messages of a parallel program: what the report keeps of a stream of them, or of those found
// in packets.
#ifndef REPORT_MESSAGE_LOG_H
#define REPORT_MESSAGE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "messages/iterations.h"
#include "stat/intervals/moments.h"
#include "stat/nodes/matrix.h"
#include "stream/record.h"
#include "value/status.h"

#define LOG_OPERATIONS (TR_OP_ATOMIC + 1u) // enum tr_operation
#define LOG_MESSAGES 1000000u		   // that are kept; of longer streams the first
#define LOG_SMALL_BYTES_MAX \
	256 // a message found by rule that is no larger may belong to the protocol or the launcher
#define LOG_TICKS_MAX \
	(INT64_MAX / 4) // later or earlier messages are only counted: differences do not overflow

// A message between two nodes, or two ranks.
struct logged_message {
	int64_t begin_ticks, end_ticks;
	uint64_t size_bytes;
	uint32_t src, dst; // nodes, or ranks if by_rank
	uint32_t src_rank, dst_rank;
	uint16_t flags;
	bool counts; // in the likeness of iterations
};

struct message_counts {
	uint64_t messages, eager, rendezvous, partly;
};

// Zero is a valid empty one. 48 bytes for each message kept, and up to 72 more for a moment in
// message_log_finish; 80 for each pair.
struct message_log {
	struct moments duration_ticks[LOG_OPERATIONS], size_bytes[LOG_OPERATIONS];
	int64_t first_ticks, last_ticks; // of all messages
	struct message_counts of_headers,
		by_rule; // by rule: from sizes and times of packets; all others come from headers
			 // or programs
	struct logged_message *list; // by begin, once finished
	size_t count, capacity;
	bool cut;	     // there were more than LOG_MESSAGES
	struct matrix pairs; // of the list: messages and bytes
	bool by_rank; // src and dst are ranks: a node has several; messages without ranks are then
		      // left out of the list
	struct iterations iterations; // of the list; count 0: it is empty
	int64_t typical_ticks;	      // length of the typical one
	struct moments length_ticks;  // of the iterations that have them, from the first begin to
				      // the last end
	struct moments silence_ticks; // between iterations
};

// Adds a message. Beyond a million listed ones it keeps none and sets cut. TR_ERROR if out of
// memory.
enum tr_status message_log_add(struct message_log *log, const struct tr_message *message,
			       struct tr_error *err);

// Completes it: no more may be added. TR_ERROR: out of memory.
enum tr_status message_log_finish(struct message_log *log, struct tr_error *err);

// All messages, also those that are not in the list.
uint64_t message_log_count(const struct message_log *log);

// Messages that count in the typical iteration.
size_t message_log_usual(const struct message_log *log);

// Frees what it holds; it is empty then.
void message_log_clear(struct message_log *log);

// ---- message_search.c
// Messages found in the packets of each pair of nodes by their sizes and times
// (messages/conversations.h).

#define SEARCH_PAIRS 16384u // packets of further pairs are not searched

struct message_search;

// NULL: out of memory. message_search_free frees it, the log is the caller's.
struct message_search *message_search_new(struct message_log *log, uint64_t ticks_per_s);

// Takes the next packet in order of time.
enum tr_status message_search_add(struct message_search *search, const struct tr_packet *packet,
				  struct tr_error *err);

// Ends the messages that are open and finishes the log.
enum tr_status message_search_finish(struct message_search *search, struct tr_error *err);

// NULL is accepted.
void message_search_free(struct message_search *search);

#endif
