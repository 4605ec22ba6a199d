// SPDX-License-Identifier: GPL-3.0-or-later
// The messages of a capture folded into iterations: which messages an iteration has, and when each
// of them was sent in each iteration.
#ifndef GEN_FAMILIES_PROGRAM_FOLD_H
#define GEN_FAMILIES_PROGRAM_FOLD_H

#include "gen/families/program/program_trace.h"

#define PROGRAM_VARIES 0.02 // standard deviation of sizes, over their mean, that vary

// A message of each iteration.
struct program_slot {
	uint32_t src, dst;
	double bytes;	    // median
	bool granted;	    // in most iterations
	uint16_t operation; // as struct program_found's, and root
	uint32_t root;
	int64_t offset_ticks; // from the begin of the iteration: median
	uint32_t phase, turn; // for the caller; phase UINT32_MAX
	bool answers;	      // likewise: its sender has received in an earlier turn of the phase
	bool swept;	    // likewise: it is of a sweep, whose sender computes from its begin on,
	int64_t work_ticks; // and its receiver with it
	uint32_t window;    // likewise: of its phase
};

// Zero is empty; program_fold_clear frees it.
struct program_fold {
	struct program_slot *slots; // in order of their offsets
	uint32_t slot_count, iterations;
	const struct program_found **at; // [iteration * slot_count + slot]; of the trace
	bool silent;			 // silences separate the iterations
	bool by_beats;			 // a message that comes once in each does (program_beats.c)
	double *silence_ticks; // from the end of an iteration to the begin of the next one; owned
	uint32_t silence_count;
	uint32_t left_out; // iterations, or what looks like it, with other messages
	uint32_t others,
		others_whole;  // of these, between the first and the last iteration; how many
			       // iterations they are by their bytes
	size_t small_left_out; // small messages that are ignored
	double variation; // standard deviation of a slot's sizes over their mean: root mean square
};

// Folds the trace, which must outlive the fold. Iterations are what silences of the whole network
// separate or, where none do so consistently, periods of the sizes from each node to each other, or
// what a message that comes once in each separates. doublings: how often two iterations that are
// periods become one, at most 16. TR_END: it does not fold; err says at which
// pair and why. TR_ERROR: no memory.
enum tr_status program_fold_make(struct program_fold *out, const struct program_trace *trace,
				 uint32_t doublings, struct tr_error *err);

// Frees what it holds; it is empty then.
void program_fold_clear(struct program_fold *fold);

// Whether two sizes may be of the same kind of message.
bool program_sizes_equal(double a_B, double b_B);

#endif
