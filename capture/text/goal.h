// SPDX-License-Identifier: GPL-3.0-or-later
// Closed-loop work as GOAL text (Hoefler, Siebert, Lumsdaine, "Group Operation Assembly Language",
// 2009; the form is that of LogGOPSim's txt2bin): for each rank, sends, receives and computations,
// and which of them must wait for which. Described in man/flit-goal.5.
#ifndef TEXT_GOAL_H
#define TEXT_GOAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "file/source.h"
#include "value/status.h"

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
	uint32_t line; // of the text, from 1; 0: none
	uint8_t kind;  // enum goal_kind
	uint8_t cpu;
	uint8_t nic;
};

// op may not begin before another has ended or, if started is set, has begun. Both are indices in
// ops.
struct goal_need {
	uint32_t op;
	uint32_t after;
	bool started;
};

// One of the programs that were joined: the ranks from first_rank on, up to those of the next.
struct goal_job {
	char *name; // of the text
	uint32_t first_rank;
};

// Operations of rank r: ops[first[r]] .. ops[first[r + 1] - 1], in the order of the text. Needs are
// in the order of the text too. Zero is a valid empty one.
struct goal_program {
	char *name; // of the text, for messages
	uint32_t ranks;
	unsigned cpus; // highest number used, plus 1
	unsigned nics;
	uint32_t *first;
	struct goal_op *ops;
	uint32_t op_count;
	struct goal_need *needs;
	uint32_t need_count;
	struct goal_job *jobs; // NULL: it is one by itself
	uint32_t job_count;
};

// What a program may take, and its parts are taken to need.
struct goal_bound {
	uint64_t memory_bytes;
	uint32_t op_bytes;
	uint32_t message_bytes; // more, of a send or a receive
	uint32_t need_bytes;
};

// Reads a whole text. Memory: 24 B an operation, 12 B a need, and the labels of one rank at a time.
// TR_ERROR, and an empty program, if it is malformed (err names it and the line), cut, or beyond
// the bounds above.
// bound NULL: none but those above.
enum tr_status goal_read(struct goal_program *out, struct tr_source *source,
			 const struct goal_bound *bound, struct tr_error *err);

// Appends the ranks of another program as a job of their own, behind those of into, which may be
// empty: no message goes from one to the other. TR_ERROR where both together are beyond the bounds
// above, or memory runs out; into is then to be cleared. more is empty afterwards, in any case.
enum tr_status goal_join(struct goal_program *into, struct goal_program *more,
			 struct tr_error *err);

// The job of a rank, from 0; how many there are; and the first rank of one, with job_count the
// number of ranks.
uint32_t goal_job_of(const struct goal_program *program, uint32_t rank);
uint32_t goal_job_count(const struct goal_program *program);
uint32_t goal_job_first(const struct goal_program *program, uint32_t job);

// The name of the text that a rank is from.
const char *goal_name_of(const struct goal_program *program, uint32_t rank);

// Rank of the operation ops[op].
uint32_t goal_rank_of(const struct goal_program *program, uint32_t op);

// Frees its memory; it is empty afterwards.
void goal_clear(struct goal_program *program);

// Writes a text rank by rank, without buffering. Operations of a rank are numbered from 0 in the
// order written and carry the label "l" and that number plus 1. The stream is not locked; failures
// show in ferror.
struct goal_writer {
	FILE *out;	 // lent; NULL: what would be written is counted
	uint32_t rank;	 // begun so far
	uint32_t ops;	 // of the current rank
	uint64_t before; // operations of the ranks before
	uint64_t needs;	 // of all ranks; only if out is NULL
};

// Begins a text of so many ranks.
void goal_write_start(struct goal_writer *writer, FILE *out, uint32_t ranks);

// Begins the next rank, from 0.
void goal_write_rank(struct goal_writer *writer);

// Writes an operation of the current rank; returns its number.
uint32_t goal_write_op(struct goal_writer *writer, const struct goal_op *op);

// Operation op of the current rank waits for operation after.
void goal_write_need(struct goal_writer *writer, uint32_t op, uint32_t after, bool started);

// Ends the last rank.
void goal_write_end(struct goal_writer *writer);

// Writes the whole program; reading it gives the same program except for the line numbers.
void goal_write(const struct goal_program *program, FILE *out);

#endif
