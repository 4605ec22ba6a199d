// SPDX-License-Identifier: GPL-3.0-or-later
// Closed-loop work as GOAL text (Hoefler, Siebert, Lumsdaine, "Group Operation Assembly Language", 2009;
// the form is that of LogGOPSim's txt2bin): for each rank, sends, receives and computations, and which
// of them must wait for which. Described in man/flit-goal.5.
#ifndef TRACE_GOAL_H
#define TRACE_GOAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "trace/source.h"
#include "trace/status.h"

#define GOAL_ANY UINT32_MAX // any source, any tag
#define GOAL_RANKS_MAX 1048576u
#define GOAL_OPS_MAX ((uint32_t)1 << 27) // of all ranks
#define GOAL_NEEDS_MAX ((uint32_t)1 << 28)
#define GOAL_LABEL_MAX 63u	      // characters
#define GOAL_SIZE_MAX (INT64_MAX / 2) // bytes or ns of one operation

enum goal_kind { GOAL_SEND, GOAL_RECV, GOAL_CALC };

struct goal_op {
	uint64_t size; // bytes; of a computation ns
	uint32_t peer; // rank; of a receive also GOAL_ANY
	uint32_t tag;  // of a receive also GOAL_ANY
	uint32_t line; // of the text, 1 being the first; 0: of none
	uint8_t kind;  // enum goal_kind
	uint8_t cpu;
	uint8_t nic;
};

// op may not begin before another has ended or, where started is set, has begun. Both are places in ops.
struct goal_need {
	uint32_t op;
	uint32_t after;
	bool started;
};

// Operations of rank r: ops[first[r]] .. ops[first[r + 1] - 1], in the order of the text. Needs are in
// the order of the text too. Zero is a valid empty one.
struct goal_program {
	char *name; // of the text, for messages
	uint32_t ranks;
	unsigned cpus; // highest number used, and one
	unsigned nics;
	uint32_t *first;
	struct goal_op *ops;
	uint32_t op_count;
	struct goal_need *needs;
	uint32_t need_count;
};

// Reads a whole text. 24 B an operation, 12 B a need, and the labels of one rank at a time are held.
// TR_ERROR, and an empty program, where it is not such a text (err names it and the line), is cut, or
// is beyond the bounds above.
enum tr_status goal_read(struct goal_program *out, struct tr_source *source, struct tr_error *err);

// Rank of the operation ops[op].
uint32_t goal_rank_of(const struct goal_program *program, uint32_t op);

// Frees what it holds; it is empty afterwards.
void goal_clear(struct goal_program *program);

// Writes a text rank by rank and holds nothing. Operations of a rank are numbered from 0 in the order in
// which they are put and carry the label "l" and that number plus 1. The stream is not locked; failures show there
// (ferror).
struct goal_writer {
	FILE *out;     // lent
	uint32_t rank; // begun so far
	uint32_t ops;  // of the present rank
};

void goal_write_start(struct goal_writer *writer, FILE *out, uint32_t ranks);

// Begins the next rank: 0 first.
void goal_write_rank(struct goal_writer *writer);

// Puts an operation of the present rank; returns its number.
uint32_t goal_write_op(struct goal_writer *writer, const struct goal_op *op);

// The operation numbered op of the present rank waits for the one numbered after.
void goal_write_need(struct goal_writer *writer, uint32_t op, uint32_t after, bool started);

void goal_write_end(struct goal_writer *writer);

// Writes the whole program; read again it is the same but for the lines.
void goal_write(const struct goal_program *program, FILE *out);

#endif
