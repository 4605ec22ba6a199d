// SPDX-License-Identifier: GPL-3.0-or-later
// A parallel program for a number of nodes: its messages, and what each waits for. A gate is a
// point that a rank reaches when all that it sent and received before has ended and it has
// computed.
#ifndef GEN_FAMILIES_PROGRAM_PLAN_H
#define GEN_FAMILIES_PROGRAM_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/families/program/program_stalls.h"
#include "value/random.h"

#define PROGRAM_NONE UINT32_MAX

// The messages of a phase that are as large, as packets on a port.
struct program_train {
	uint64_t bytes;	   // data
	uint64_t stream_B; // with all that is sent besides
	uint64_t packets;
	bool granted;			 // by rendezvous
	int64_t first_ticks, span_ticks; // what the first packet takes of the port; from the first
					 // packet to the last
	uint32_t phase;
};

// Of a phase.
struct program_pauses {
	struct law_plan compute, between; // kind NULL: none
};

// One end of a message.
struct program_op {
	uint32_t message;
	bool sends;
};

// Of a rank: ops[first] .. ops[end - 1] begin at the gate or later, and have ended at the next one.
struct program_gate {
	uint32_t rank, phase;
	uint32_t first, end;
	const struct law_plan *computes; // the rank, before it; NULL: it does not
	const struct law_plan *also;	 // what it received last, in a sweep; NULL: nothing
	bool begins;			 // the iteration, before it
	int64_t compute_ticks;		 // drawn
};

// What a message waits for, as numbers of gates or, from gate_count on, of messages.
struct program_waits {
	uint32_t send, receive;		 // receive: PROGRAM_NONE if it is not granted
	uint32_t behind;		 // also, as its sender has received it before in a window;
					 // PROGRAM_NONE
	const struct law_plan *computes; // its sender, before it; NULL
	int64_t compute_ticks;		 // drawn, as these
	int64_t grant_ticks, begin_ticks;
	uint64_t stall_seed; // of its stalls (program_stalls.h)
};

// Of a port, in ticks.
struct program_pace {
	double full;			// from one full packet to the next
	int64_t burst_ticks, gap_ticks; // that an idle port is ahead of it; between packets of a
					// burst
};

// What the times of a rank are drawn from.
struct program_streams {
	struct tr_random compute, turn, stall, look;
};

// Zero is a valid empty one.
struct program_plan {
	const struct program_model *model; // lent
	uint32_t nodes;
	struct program_pace pace;
	struct program_list list;
	struct program_train *trains; // by message.train
	uint32_t train_count, train_capacity;
	struct program_pauses *pauses; // by phase
	struct program_gate *gates; // of rank r: first_gate[r] .. first_gate[r + 1] - 1; the last
				    // one has no operations
	struct program_op *ops;
	struct program_waits *waits; // by message
	uint32_t *first_gate;
	uint32_t gate_count;
	struct draw_tables tables;
	struct law_plan silence, turn, look; // kind NULL: none
	struct tr_random silences;
	struct program_streams *streams; // by rank
	struct program_stalls stall;
	int64_t take_ticks, lag_ticks; // after the end of a message (struct program_flow)
};

// Plans the model for this many nodes; the model must outlive it. To be cleared also after
// TR_ERROR.
enum tr_status program_plan_make(struct program_plan *plan, const struct program_model *model,
				 uint32_t nodes, double ticks_per_s, uint64_t seed,
				 struct tr_error *err);

// Frees what it holds; it is empty then.
void program_plan_clear(struct program_plan *plan);

// Sets what the train has of its bytes on the stream, which become so many.
void program_plan_pack(const struct program_plan *plan, struct program_train *train,
		       uint64_t stream_B);

// Draws the times of the rank's next iteration into its gates and waits. A rank's draws do not
// depend on other ranks.
void program_plan_draw(struct program_plan *plan, uint32_t rank);

// The rank's next look, in ticks from the message that it is for.
int64_t program_plan_look(struct program_plan *plan, uint32_t rank);

// The next silence between iterations, in ticks.
int64_t program_plan_silence(struct program_plan *plan);

#endif
