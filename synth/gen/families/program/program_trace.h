// SPDX-License-Identifier: GPL-3.0-or-later
// The messages in a capture of a parallel program, and how their packets flow: what a program's
// model is fitted to.
#ifndef GEN_FAMILIES_PROGRAM_TRACE_H
#define GEN_FAMILIES_PROGRAM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/families/program/program_model.h"
#include "stat/nodes/packet_sample.h"
#include "value/status.h"

#define PROGRAM_ENVELOPE_MAX 1000 // bytes that a protocol may add to a message

// A message found. Times are of packets.
struct program_found {
	int64_t begin_ticks; // of its request, or else of its first packet
	int64_t first_ticks; // of its first packet of data
	int64_t end_ticks;   // of its last one
	int64_t grant_ticks; // of its receiver's answer; of a granted one
	uint64_t bytes;	     // with what the protocol adds to it
	uint64_t packets;
	uint32_t src, dst; // ranks
	bool granted;	   // after a request
	bool small;	   // it may be of a protocol
	bool later;	   // of the second half of the iterations, after program_fit
	// enum tr_operation of a collective one, of which this is a rank's part: src and dst are
	// that rank, bytes those that it gives, and begin and end its call. 0: a message.
	uint16_t operation;
	uint32_t root; // of it; UINT32_MAX: none
};

// What a trace has, or a model: messages, with the bytes that are given to collective operations,
// and these operations.
struct program_counts {
	uint64_t messages, operations;
	double bytes;
};

// Zero is empty; program_trace_clear frees it.
// Of the pace of a trace's packets: it has only such as an idle port may send at once; or none; or
// they show it.
enum program_pace_known { PROGRAM_PACE_HIDDEN, PROGRAM_PACE_ASSUMED, PROGRAM_PACE_SHOWN };

struct program_trace {
	const char *name;	     // for messages; lent
	struct program_found *found; // by begin_ticks
	size_t count, capacity;
	uint32_t nodes;
	double ticks_per_s;
	struct program_flow flow; // laws are not set; turn_s: a mean; envelope_B: of messages whose
				  // sizes are without it
	bool shows_packets;
	enum program_pace_known pace_known;
	bool in_trains;		   // most bytes of its packets are in messages of several packets
	const char *library;	   // of MPI, as it calls itself; NULL: not known; lent
	struct program_counts all; // with what is not in found: messages to oneself, operations of
				   // some ranks only
};

// Finds the messages in the packets of a settled sample (messages_found.h). ranks: by id of the
// sample's nodes, UINT32_MAX where one takes no part. Memory: that of the search, and 72 B a
// message. TR_ERROR: no messages, or no memory.
enum tr_status program_trace_find(struct program_trace *out, const struct packet_sample *sample,
				  const uint32_t *ranks, uint32_t nodes, struct tr_error *err);

// Adds a message to a trace; TR_ERROR if out of memory. program_trace_sort puts them in order
// afterwards.
enum tr_status program_trace_add(struct program_trace *trace, const struct program_found *found,
				 struct tr_error *err);
void program_trace_sort(struct program_trace *trace);

// Frees what it holds; it is empty then.
void program_trace_clear(struct program_trace *trace);

#endif
