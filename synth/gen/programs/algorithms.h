// SPDX-License-Identifier: GPL-3.0-or-later
// Algorithms as parallel programs. A new one is a file that fills in a struct program_kind, and one line of the table in algorithms.c:
// here are its arguments, the operations that it writes, and the layouts of ranks that several share.
#ifndef GEN_PROGRAMS_ALGORITHMS_H
#define GEN_PROGRAMS_ALGORITHMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/goal.h"
#include "trace/num.h"
#include "trace/status.h"

// ---- What a program generator is asked for: "name:key=value,key=value".

#define PROGRAM_ARGS_MAX 16u
#define PROGRAM_ARGS_BYTES 512u
#define PROGRAM_SIDES_MAX 3u

// Sides of a grid of ranks or cells, 1 to 3 of them; those that there are not are 1.
struct program_grid {
	uint32_t sides[PROGRAM_SIDES_MAX];
	unsigned count;
};

// Each value that is asked for is also written down, so that used says all that the program was made from.
struct program_args {
	char text[PROGRAM_ARGS_BYTES]; // cut into words
	const char *name;
	const char *usual; // "key=value,key=value|other word": what holds where nothing is said; lent
	struct program_arg {
		const char *key;
		const char *value;
		bool known; // it was asked for
	} items[PROGRAM_ARGS_MAX];
	size_t count;
	char used[PROGRAM_ARGS_BYTES];
	bool failed; // err says why; from then on a value is the least that there is
	struct tr_error *err;
};

// Cuts text. TR_ERROR where it is not of that form, too long, or says a key twice.
enum tr_status program_args_parse(struct program_args *args, const char *text, struct tr_error *err);

// A whole number min .. max.
uint64_t program_args_count(struct program_args *args, const char *key, uint64_t min, uint64_t max);

// A quantity of 0 or more: s, B ... by the dimension.
struct num_ratio program_args_quantity(struct program_args *args, const char *key, enum num_dimension dimension);

// A whole number of bytes, min .. max.
uint64_t program_args_bytes(struct program_args *args, const char *key, uint64_t min, uint64_t max);

// One of the words of the usual text, the first being 0.
unsigned program_args_word(struct program_args *args, const char *key);

// The sides of a grid: "4x4x2"; each is at least 1, their product at most max.
struct program_grid program_args_grid(struct program_args *args, const char *key, uint64_t max);

// TR_ERROR where a value was wrong or a key was not asked for.
enum tr_status program_args_end(struct program_args *args);

// ---- Which blocks of a rank's data a message carries. The data are so many bytes in so many parts, block b
// being bytes floor(b bytes / parts) up to those of b + 1: equal parts where they divide, else within a
// byte of each other.

struct blocks {
	uint32_t first; // 0 .. parts - 1
	uint32_t count; // first, first + 1, ..., going round; 0 .. parts
	uint32_t bit;	// where not 0, a power of two: instead all blocks whose number has it
};

// Bytes of the blocks.
uint64_t blocks_bytes(const struct blocks *blocks, uint64_t bytes, uint32_t parts);

// ---- What a rank does, one thing after another or several at once, and the times that it takes. What is not
// said to go together waits for what stood before it.

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

// Tells the watch of the message that op is one end of, if there is one.
void sequence_tell(const struct sequence *sequence, const struct goal_op *op, const struct blocks *blocks, enum carry carry);

// Ends the text. TR_ERROR where something did not fit; the text then has no end, and is none.
enum tr_status sequence_end(struct sequence *sequence, struct tr_error *err);

// ---- What every program generator is: an algorithm written down as a GOAL text, one rank at a time, so that
// a program of any size is written in the memory of its arguments. A new one is a file that fills in a
// struct program_kind, and one line of the table in algorithms.c.

#define PROGRAM_STATE_BYTES 512u

// What the arguments say of every program.
struct program_shape {
	uint32_t ranks;
	struct message_cost cost;
};

struct program_kind {
	const char *name;
	// "N=64,by=linear|ring,...": each key with its usual value; of several words the first is the usual
	// one.
	const char *keys;
	const char *summary; // one line
	size_t state_bytes;  // of what take fills in, at most PROGRAM_STATE_BYTES
	// Takes the arguments to state and shape. TR_ERROR where one is wrong.
	enum tr_status (*take)(void *state, struct program_args *args, struct program_shape *shape, struct tr_error *err);
	// Writes what one rank does; ranks know nothing of what was written for another.
	void (*rank)(const void *state, struct sequence *sequence, uint32_t rank);
};

// The kinds by name, ended by NULL.
extern const struct program_kind *const program_kinds[];

// Writes the program that text names to out: a comment that says what it is, then the text. watch
// (NULL: nobody) hears of each message that carries known data. TR_ERROR: a wrong argument (nothing was
// written then), or a time that does not fit. Failures of out show there.
enum tr_status program_write(const char *text, FILE *out, const struct sequence_watch *watch, struct tr_error *err);

extern const struct program_kind program_allgather;
extern const struct program_kind program_allreduce;
extern const struct program_kind program_alltoall;
extern const struct program_kind program_barrier;
extern const struct program_kind program_broadcast;
extern const struct program_kind program_cannon;
extern const struct program_kind program_fft_1d;
extern const struct program_kind program_fft_3d;
extern const struct program_kind program_fft_rc;
extern const struct program_kind program_fft_vr;
extern const struct program_kind program_gather;
extern const struct program_kind program_halo;
extern const struct program_kind program_matmul;
extern const struct program_kind program_multicast;
extern const struct program_kind program_random;
extern const struct program_kind program_reduce;
extern const struct program_kind program_reduce_scatter;
extern const struct program_kind program_scatter;
extern const struct program_kind program_sweep;

// ---- Ranks on a grid of up to three sides, the last side's neighbours being next to each other in number.

#define GRID_NOBODY UINT32_MAX

// Ranks or cells in all.
uint64_t grid_size(const struct program_grid *grid);

// The rank one step on along the side, or back; around the end where it is periodic, else GRID_NOBODY.
uint32_t grid_neighbour(const struct program_grid *grid, uint32_t rank, unsigned side, bool on, bool periodic);

// ---- Random permutations of 0 .. n-1 that are computed for one number at a time, there and back: a Feistel
// network of eight rounds of Philox on the least square that holds them, walked until it comes back inside
// (Black, Rogaway: Ciphers with Arbitrary Finite Domains, CT-RSA 2002).

struct permutation {
	uint32_t n;
	uint32_t side; // least whole number whose square is no less than n
	uint32_t key[2];
};

// A family of 2^32 permutations of n > 0 numbers.
struct permutation permutation_make(uint64_t seed, uint32_t n);

// Where i goes in the permutation of this number, and what comes to i.
uint32_t permutation_of(const struct permutation *permutation, uint32_t number, uint32_t i);
uint32_t permutation_back(const struct permutation *permutation, uint32_t number, uint32_t i);

#endif
