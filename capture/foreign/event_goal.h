// SPDX-License-Identifier: GPL-3.0-or-later
// Events as a program: what each rank computed between its calls, its sends, receives and waits,
// and collective operations unrolled into messages by named algorithms, those of flitgen. Only
// calls that fit together are written, a receive with its message, a collective operation in which
// all members took part, so that the program ends as the traced one did. (Guessed messages respect
// the times of the trace: where its clocks differ by more than a message takes, a guess may be
// impossible.)
//
// Whole messages seen from outside (EVENT_MESSAGE) are sent at their times, whatever was received
// before.
#ifndef FOREIGN_EVENT_GOAL_H
#define FOREIGN_EVENT_GOAL_H

#include <stdio.h>

#include "collectives/sequence.h"
#include "foreign/rank_events.h"
#include "table/table.h"

#define EVENT_GOAL_KEYS_BYTES 192u

// Keys for one kind of collective operation: "allreduce:by=ring,combine=1ns".
struct event_goal_ways {
	char keys[COLLECTIVES][EVENT_GOAL_KEYS_BYTES]; // "by=ring,combine=1ns,"
};

// Adds a text "KIND:KEY=VALUE,..." of the collective programs of flitgen. TR_ERROR: no such kind,
// or keys that it does not take.
enum tr_status event_goal_way(struct event_goal_ways *ways, const char *text, struct tr_error *err);

// The row of an option whose words event_goal_way reads.
#define OPT_COLLECTIVE(ways) \
	OPT_LIST_LISTED(0, "collective", "KIND:KEYS", ways, event_goal_list, \
			"how a collective operation sends, as flitgen --program")

// Prints these kinds with their keys.
enum tr_status event_goal_list(struct table_style style, FILE *out, struct tr_error *err);

// Begins a program whose collective operations are unrolled so, with a comment that says it.
void event_goal_start(const struct event_goal_ways *ways, struct sequence *sequence, uint32_t ranks,
		      FILE *out);

// A member's part of a collective operation other than a scan.
struct event_goal_part {
	uint8_t collective; // enum event_collective
	uint32_t place, ranks;
	uint32_t root;	// place
	uint64_t bytes; // as enum event_collective has them
};

// Appends it by the algorithm of its kind; peers are places, as sequence->members has them.
// TR_ERROR: more bytes than an algorithm takes.
enum tr_status event_goal_unroll(const struct event_goal_ways *ways, struct sequence *sequence,
				 const struct event_goal_part *part, struct tr_error *err);

// Tags that its messages take, from their first on.
uint64_t event_goal_tags(const struct event_goal_ways *ways, uint8_t collective, uint32_t ranks);

// Of operations counted as tags_again.
#define EVENT_GOAL_TAGS_AGAIN \
	"collective operations have tags of others, of which there are 2^30: where both are " \
	"under " \
	"way at once, a receive may get the wrong message"

struct event_goal_counts {
	uint64_t operations;
	uint64_t compute_ns; // of all ranks
	uint64_t left_out;   // calls: the other end, or the part of a member, is missing
	uint64_t uneven;     // collective operations of differing counts: directly, all at once
	uint64_t tags_again; // those whose tags others have too, which may be under way with them
};

// Writes the program to out, after events_match. Memory: 40 B for each collective operation, 8 B
// for each member's count where counts differ, 16 B a communicator, 8 B a rank, and 4 B an event of
// the longest rank. TR_ERROR:
// ranks did different collective operations, a time or size does not fit, or out of memory. For
// write failures check out.
enum tr_status event_goal_write(const struct events *events, const struct event_goal_ways *ways,
				FILE *out, struct event_goal_counts *counts, struct tr_error *err);

#endif
