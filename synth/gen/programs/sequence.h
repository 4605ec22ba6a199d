// SPDX-License-Identifier: GPL-3.0-or-later
// What a rank does, one thing after another or several at once, and the times that it takes. What is not
// said to go together waits for what stood before it.
#ifndef GEN_PROGRAMS_SEQUENCE_H
#define GEN_PROGRAMS_SEQUENCE_H

#include "gen/programs/arguments.h"
#include "gen/programs/blocks.h"
#include "trace/goal.h"

// What MPI takes of the processor for a message, at each end.
struct message_cost {
	struct num_ratio message_s;
	struct num_ratio byte_s;
};

// What becomes of the data of a message at its receiver.
enum carry {
	CARRY_PUT,   // it stands in the place of what was there
	CARRY_ADD,   // it is combined with what is there
	CARRY_APART, // it is put into a buffer of its own
};

// One end of a message that carries known data. Messages of one step of a rank are under way together:
// what they send is what was there before the step.
struct sequence_message {
	uint32_t rank;
	uint32_t step;
	const struct goal_op *op;
	const struct blocks *blocks; // sender's and receiver's numbers need not be the same
	enum carry carry;
};

struct sequence_watch {
	void (*message)(void *context, const struct sequence_message *message);
	void *context;
};

// The operations that what comes next must wait for.
struct sequence_point {
	uint32_t ops[4];
	unsigned count;
};

struct sequence {
	struct goal_writer writer;
	struct message_cost cost;
	struct sequence_point here;
	struct sequence_point base; // where what goes together began
	uint32_t gate;		    // operation that all of it ends in
	uint32_t rank;		    // the present one
	uint32_t ranks_begun;
	uint32_t step;
	bool together;
	bool overflow;			    // a time or size did not fit
	const struct sequence_watch *watch; // NULL: nobody
};

// Takes the keys message and byte.
void message_cost_take(struct message_cost *cost, struct program_args *args);

// Writes the comment that says what the program is, and begins the text.
void sequence_start(struct sequence *sequence, FILE *out, const struct program_args *args, const struct message_cost *cost,
		    uint32_t ranks);

// Begins the next rank.
void sequence_rank(struct sequence *sequence);

// Whether nothing can be written any more: what a rank does many times it may then leave off.
bool sequence_stopped(const struct sequence *sequence);

// The rank computes for count times each_s, rounded to ns; nothing for 0.
void sequence_compute(struct sequence *sequence, uint64_t count, struct num_ratio each_s);

// The rank sends: the cost, then the message, whose way it does not wait for.
void sequence_send(struct sequence *sequence, uint32_t to, uint64_t bytes, uint32_t tag);

// The rank waits for a message: then the cost.
void sequence_recv(struct sequence *sequence, uint32_t from, uint64_t bytes, uint32_t tag);

// The rank sends and receives at the same time, and goes on when both are done.
struct sequence_swap {
	uint32_t to;
	uint64_t to_bytes;
	uint32_t from;
	uint64_t from_bytes;
	uint32_t tag;
};

void sequence_swap(struct sequence *sequence, const struct sequence_swap *swap);

// What follows up to sequence_meet goes together: each branch begins where this stands, and what comes
// after waits for all of them. Within a branch one thing follows another. Not within another such.
void sequence_together(struct sequence *sequence);
void sequence_branch(struct sequence *sequence);
void sequence_meet(struct sequence *sequence);

// Places in the order of a rank, for programs that overlap more freely: here, going on from elsewhere,
// and waiting for elsewhere too.
struct sequence_point sequence_here(const struct sequence *sequence);
void sequence_from(struct sequence *sequence, const struct sequence_point *point);
void sequence_wait(struct sequence *sequence, const struct sequence_point *point);

// Tells the watch of the message that op is one end of, if there is one.
void sequence_tell(const struct sequence *sequence, const struct goal_op *op, const struct blocks *blocks, enum carry carry);

// Ends the text. TR_ERROR where something did not fit; the text then has no end, and is none.
enum tr_status sequence_end(struct sequence *sequence, struct tr_error *err);

#endif
