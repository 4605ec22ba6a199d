// SPDX-License-Identifier: GPL-3.0-or-later
// A rank that does one thing after another, and the times of what it does.
#ifndef GEN_PROGRAMS_SEQUENCE_H
#define GEN_PROGRAMS_SEQUENCE_H

#include "gen/programs/arguments.h"
#include "trace/goal.h"

// What MPI takes of the processor for a message, at each end.
struct message_cost {
	struct num_ratio message_s;
	struct num_ratio byte_s;
};

struct sequence {
	struct goal_writer writer;
	struct message_cost cost;
	uint32_t last; // operation
	bool begun;    // the rank has one
	bool overflow; // a time or size did not fit
};

// Takes the keys message and byte, with their usual values.
void message_cost_take(struct message_cost *cost, struct program_args *args,
		       const char *usual_message, const char *usual_byte);

// Writes the comment that says what the program is, and begins the text.
void sequence_start(struct sequence *sequence, FILE *out, const struct program_args *args,
		    const struct message_cost *cost, uint32_t ranks);

// Begins the next rank.
void sequence_rank(struct sequence *sequence);

// The rank computes for count times each_s, rounded to ns; nothing for 0.
void sequence_compute(struct sequence *sequence, uint64_t count, struct num_ratio each_s);

// The rank sends, after what it did last: the cost, then the message, whose way it does not wait for.
void sequence_send(struct sequence *sequence, uint32_t to, uint64_t bytes, uint32_t tag);

// The rank waits for a message: then the cost.
void sequence_recv(struct sequence *sequence, uint32_t from, uint64_t bytes, uint32_t tag);

// Ends the text. TR_ERROR where something did not fit; the text then has no end, and is none.
enum tr_status sequence_end(struct sequence *sequence, struct tr_error *err);

#endif
