// SPDX-License-Identifier: GPL-3.0-or-later
// Exact repetition. A program of equal iterations comes to a state that it was in before, but for
// the time and for which operations of the text are at work. If these are alike from there on, all
// that follows is alike, up to the last iterations: so the run goes on behind those that it leaves
// out, and these are added up.
//
// A state is the words of net/view.h, the network's and the program's, and states are compared word
// by word. An operation is named by its rank and its place behind the rank's first that has not
// ended, a message by its age. The run's own clock does not jump, as nothing in the state is a time
// of day: what is reported from then on is later by what was left out.
#ifndef PROGRAM_REPEAT_H
#define PROGRAM_REPEAT_H

#include "net/view.h"
#include "program/state.h"

#define REPEAT_SAMPLES 512u		   // that are kept
#define REPEAT_WORDS ((size_t)1 << 24)	   // of all of them
#define REPEAT_LOOKS 8192u		   // at most,
#define REPEAT_WRITTEN ((uint64_t)1 << 27) // and as many words, but for the first
#define REPEAT_FIRST 64u		   // of them
#define REPEAT_VAIN 64u
#define REPEAT_OPS 65536u // at work at once, at most

// A state.
struct repeat_sample {
	uint64_t hash;
	uint64_t *words;
	size_t count;
	uint32_t *low; // of each rank
};

// The begin of the period that is measured.
struct repeat_mark {
	struct repeat_sample state;
	int64_t now_ticks;
	uint32_t steps;
	struct program_totals totals;
	struct net_totals net;
	struct program_rank *ranks;
};

enum repeat_stage {
	REPEAT_LOOKS_ON,
	REPEAT_MEASURES, // a state has come again, and the run until it does once more is measured
	REPEAT_ENDED,
};

struct repeat {
	struct net_view view;
	enum repeat_stage stage;
	uint32_t *low;	 // of each rank, the first operation that has not ended
	uint32_t *high;	 // and one past the last that something has happened to
	uint32_t *needs; // of each operation: how many it waits for at the begin
	uint32_t *names; // of each message
	uint32_t *live;	 // messages, by age
	uint32_t *tasks; // room for as many
	uint32_t rank;	 // with most operations: a state is taken after each iteration of its own
	uint32_t length; // of that, in operations
	uint32_t due;	 // where it is taken next
	uint32_t tries;
	uint64_t written; // words, in all of these
	uint32_t looks;	  // of these with a new state
	uint32_t vain;	  // states that came again, where nothing was left out
	struct repeat_sample samples[REPEAT_SAMPLES]; // a ring
	size_t words;				      // of all of them
	struct repeat_mark mark;
	uint32_t *period; // operations of each rank in a period
	struct program_repeat result;
};

// Prepares for it; the operations are joined, and none has begun. TR_ERROR where memory runs out.
enum tr_status repeat_open(struct program *program, struct tr_error *err);

// Frees it; none is fine.
void repeat_close(struct program *program);

// At the begin of an offer, before anything of the program happens: looks, and leaves out.
enum tr_status repeat_look(struct program *program);

// Something has happened to an operation of the rank.
static inline void repeat_touch(const struct program *program, uint32_t rank, uint32_t op)
{
	if (program->repeat && program->repeat->high[rank] <= op)
		program->repeat->high[rank] = op + 1;
}

// --- repeat_state.c

// Writes the state into the view; false: it cannot be written now.
bool repeat_write(struct program *program);

// --- repeat_skip.c

// How often a period of so many operations of each rank can be left out from now on: as often as
// all operations from the first ones on, which are before it, are alike.
uint64_t repeat_most(const struct program *program, const uint32_t *from, const uint32_t *steps);

// Moves what is at work behind so many periods.
void repeat_move(struct program *program, uint64_t times);

#endif
