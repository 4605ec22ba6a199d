// SPDX-License-Identifier: GPL-3.0-or-later
// What a rank of a parallel program does, written as GOAL: the operations and their order, the data
// that messages carry, and the arguments of what makes a program. The collective operations made of
// such sequences are beside it, one kind a file.
#ifndef COLLECTIVES_SEQUENCE_H
#define COLLECTIVES_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/goal.h"
#include "value/num.h"
#include "value/status.h"

// ---- The arguments of a program generator: "name:key=value,key=value".

#define PROGRAM_ARGS_MAX 40u
#define PROGRAM_ARGS_BYTES 1024u
#define PROGRAM_SIDES_MAX 3u

// Sides of a grid of ranks or cells, 1 to 3 of them; missing ones are 1.
struct program_grid {
	uint32_t sides[PROGRAM_SIDES_MAX];
	unsigned count;
};

// Each value that is read is also recorded, so that used lists all arguments that the program was
// made from.
struct program_args {
	char text[PROGRAM_ARGS_BYTES]; // cut into words
	const char *name;
	const char *usual; // "key=value,key=value|other word": the defaults; lent
	struct program_arg {
		const char *key;
		const char *value;
		bool known; // it has been read
	} items[PROGRAM_ARGS_MAX];
	size_t count;
	char used[PROGRAM_ARGS_BYTES];
	bool failed; // err says why; from then on every value is its minimum
	struct tr_error *err;
};

// Cuts text. TR_ERROR where it is malformed, too long, or repeats a key.
enum tr_status program_args_parse(struct program_args *args, const char *text,
				  struct tr_error *err);

// A whole number min .. max.
uint64_t program_args_count(struct program_args *args, const char *key, uint64_t min, uint64_t max);

// A quantity of 0 or more: s, B ... by the dimension.
struct num_ratio program_args_quantity(struct program_args *args, const char *key,
				       enum num_dimension dimension);

// A whole number of bytes, min .. max.
uint64_t program_args_bytes(struct program_args *args, const char *key, uint64_t min, uint64_t max);

// The index of the key's word among those of the usual text, from 0.
unsigned program_args_word(struct program_args *args, const char *key);

// The sides of a grid: "4x4x2"; each is at least 1, their product at most max.
struct program_grid program_args_grid(struct program_args *args, const char *key, uint64_t max);

// TR_ERROR where a value was wrong or a key was not used.
enum tr_status program_args_end(struct program_args *args);

// ---- Which blocks of a rank's data a message carries. The data are cut into parts; block b is
// bytes floor(b bytes / parts) up to those of b + 1: equal parts if they divide, otherwise equal to
// within a byte.

struct blocks {
	uint32_t first; // 0 .. parts - 1
	uint32_t count; // first, first + 1, ..., wrapping around; 0 .. parts
	uint32_t bit;	// if not 0, a power of two: all blocks whose number has this bit, instead
};

// Bytes of the blocks.
uint64_t blocks_bytes(const struct blocks *blocks, uint64_t bytes, uint32_t parts);

// ---- What a rank does, sequentially or several operations at once, and the times it takes. By
// default an operation waits for the one before it.

// Processor time that MPI takes for a message, at each end.
struct message_cost {
	struct num_ratio message_s;
	struct num_ratio byte_s;
};

// What a receiver does with the data of a message.
enum carry {
	CARRY_PUT,   // it replaces the old data
	CARRY_ADD,   // it is combined with the old data
	CARRY_APART, // it goes to a separate buffer
};

// One end of a message that carries known data. Messages of one step of a rank are concurrent: they
// send the data from before the step.
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

// The operations that the next one must wait for.
struct sequence_point {
	uint32_t ops[4];
	unsigned count;
};

struct sequence {
	struct goal_writer writer;
	struct message_cost cost;
	struct sequence_point here;
	struct sequence_point base; // where the concurrent branches began
	uint32_t gate;		    // operation in which all branches end
	uint32_t rank;		    // the current one
	uint32_t ranks_begun;
	uint32_t step;
	bool together;
	bool overflow;			    // a time or size did not fit
	const struct sequence_watch *watch; // NULL: none
	const uint32_t *members; // the ranks that peers stand for, lent; NULL: themselves
	uint32_t tag_first;	 // added to tags
	uint8_t cpu;		 // of operations; 0 at the start of each rank
};

// Takes the keys message and byte.
void message_cost_take(struct message_cost *cost, struct program_args *args);

// Writes the comment that describes the program, and begins the text; out NULL: counts what would
// be written, up to more operations than a program may have.
void sequence_start(struct sequence *sequence, FILE *out, const struct program_args *args,
		    const struct message_cost *cost, uint32_t ranks);

// Begins the next rank.
void sequence_rank(struct sequence *sequence);

// Whether writing has failed or counting ended, so that a rank may cut its loops short.
bool sequence_stopped(const struct sequence *sequence);

// The rank computes for count times each_s, rounded to ns; no operation for 0.
void sequence_compute(struct sequence *sequence, uint64_t count, struct num_ratio each_s);

// The rank sends: the cost, then the message, without waiting for its delivery.
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

// Operations up to sequence_meet are concurrent: each branch begins at this point, and what comes
// after waits for all of them. Within a branch operations are sequential. Cannot be nested.
void sequence_together(struct sequence *sequence);
void sequence_branch(struct sequence *sequence);
void sequence_meet(struct sequence *sequence);

// Points in a rank's sequence, for programs that overlap more freely: continue from another point,
// wait for another point too, and make the current one a single operation.
struct sequence_point sequence_here(const struct sequence *sequence);
void sequence_from(struct sequence *sequence, const struct sequence_point *point);
void sequence_wait(struct sequence *sequence, const struct sequence_point *point);
void sequence_join(struct sequence *sequence);

// Reports the message that op sends or receives to the watch, if any.
void sequence_tell(const struct sequence *sequence, const struct goal_op *op,
		   const struct blocks *blocks, enum carry carry);

// Ends the text. TR_ERROR where something did not fit; the text then has no end and is invalid.
enum tr_status sequence_end(struct sequence *sequence, struct tr_error *err);

// ---- Ranks on a grid of up to three sides; neighbours along the last side have consecutive
// numbers.

#define GRID_NOBODY UINT32_MAX

// Ranks or cells in all.
uint64_t grid_size(const struct program_grid *grid);

// The rank one step forward along the side, or backward; wraps around if periodic, otherwise
// GRID_NOBODY at the end.
uint32_t grid_neighbour(const struct program_grid *grid, uint32_t rank, unsigned side, bool on,
			bool periodic);

// ---- A program generator: an algorithm written as a GOAL text, one rank at a time, so that a
// program of any size needs only the memory of its arguments.

#define PROGRAM_STATE_BYTES 2048u

// Arguments common to all programs.
struct program_shape {
	uint32_t ranks;
	struct message_cost cost;
};

struct program_kind {
	const char *name;
	// "N=64,by=linear|ring,...": each key with its default; of several words the first is the
	// default.
	const char *keys;
	const char *summary; // one line
	size_t state_bytes;  // of the state that take fills in, at most PROGRAM_STATE_BYTES
	// Reads the arguments into state and shape. TR_ERROR where one is wrong.
	enum tr_status (*take)(void *state, struct program_args *args, struct program_shape *shape,
			       struct tr_error *err);
	// Writes the operations of one rank, independently of what other ranks wrote.
	void (*rank)(const void *state, struct sequence *sequence, uint32_t rank);
};

// Reads a text such as "ring:ranks=4" into a state of PROGRAM_STATE_BYTES.
enum tr_status program_kind_take(const struct program_kind *kind, const char *text, void *state,
				 struct tr_error *err);

extern const struct program_kind program_allgather;
extern const struct program_kind program_allreduce;
extern const struct program_kind program_alltoall;
extern const struct program_kind program_barrier;
extern const struct program_kind program_broadcast;
extern const struct program_kind program_gather;
extern const struct program_kind program_reduce;
extern const struct program_kind program_reduce_scatter;
extern const struct program_kind program_scatter;

#endif
