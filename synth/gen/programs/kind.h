// SPDX-License-Identifier: GPL-3.0-or-later
// What every program generator is: an algorithm written down as a GOAL text, one rank at a time, so that
// a program of any size is written in the memory of its arguments. A new one is a file that fills in a
// struct program_kind, and one line of the table in table.c.
#ifndef GEN_PROGRAMS_KIND_H
#define GEN_PROGRAMS_KIND_H

#include "gen/programs/arguments.h"
#include "gen/programs/sequence.h"
#include "trace/goal.h"

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

#endif
