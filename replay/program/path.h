// SPDX-License-Identifier: GPL-3.0-or-later
// The steps that a program's processors have taken, each with what it came after: from the last one the way back is
// the critical path. Kept only where it is asked for.
#ifndef PROGRAM_PATH_H
#define PROGRAM_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/arena.h"

#define PROGRAM_NO_STEP UINT32_MAX

enum program_does {
	PROGRAM_COMPUTES,
	PROGRAM_SENDS,	  // a message
	PROGRAM_REQUESTS, // that a message be asked for
	PROGRAM_REPLIES,
	PROGRAM_RECEIVES, // a message, a request or a reply
	PROGRAM_MATCHES,  // a receive finds its message there
};

// What the last thing was that it waited for.
enum program_since {
	PROGRAM_SINCE_START,	 // nothing but the rank's start
	PROGRAM_SINCE_NEED,	 // an operation
	PROGRAM_SINCE_MESSAGE,	 // a message's way through the network
	PROGRAM_SINCE_PROCESSOR, // another step of the same processor
	PROGRAM_SINCE_GAP,	 // the interface, which took another message before
};

// A step begins where the way from its cause ends: at since_ticks, while or when the cause was done.
struct program_step {
	int64_t begin_ticks;
	int64_t end_ticks;
	int64_t since_ticks;
	uint32_t op; // of the program
	uint32_t rank;
	uint32_t cause; // step, PROGRAM_NO_STEP for none
	uint8_t does;	// enum program_does
	uint8_t since;	// enum program_since
};

struct path {
	struct program_step *steps; // NULL: not kept
	uint32_t count;
	uint32_t present; // the step that is being taken
	uint32_t last;	  // that with the latest end of an operation
	int64_t last_ticks;
	uint32_t *op_ready;   // of each operation, the step that it needed last
	uint32_t *of_message; // of each message, its last one
	uint32_t *of_cpu;
	uint32_t *of_send; // by interface
	uint32_t *of_receive;
};

struct program;

// Takes room for all steps that the program can take.
void path_layout(struct program *program, struct sim_arena *arena);
void path_fill(struct program *program);

// A task, in a lane's words of state.h, starts now; its times are those before it takes the processor.
struct path_start {
	uint32_t task;
	uint32_t rank;
	unsigned cpu;
	unsigned nic;
	bool sends;    // uses the interface to send
	bool receives; // or to receive
};

void path_begin(struct program *program, const struct path_start *start);
void path_end(struct program *program, const struct path_start *start);

// A receive is posted now.
void path_post(struct program *program, uint32_t op);

// The present step is the cause of what happens next with the message, or of the operation's readiness.
void path_of_message(struct program *program, uint32_t message);
void path_of_op(struct program *program, uint32_t op);

// A receive that waits for the processor, not for its needs, is posted when that is free.
void path_wait_cpu(struct program *program, uint32_t op, uint32_t rank, unsigned cpu);

// A receive has found its message there, and the processor is still taking it in: that becomes the present step.
void path_taken_in(struct program *program, uint32_t message);

// The message has met its receive: its last step is the present one, and that of the receive.
void path_meet(struct program *program, uint32_t message, uint32_t recv);

// An operation of the rank ends at end_ticks, by the present step.
void path_finish(struct program *program, int64_t end_ticks);

#endif
