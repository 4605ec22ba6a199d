// SPDX-License-Identifier: GPL-3.0-or-later
// The phases of a folded capture: which messages form a pattern, what each waits for, and how long
// ranks compute in between.
#ifndef GEN_FAMILIES_PROGRAM_PHASES_H
#define GEN_FAMILIES_PROGRAM_PHASES_H

#include <stddef.h>

#include "gen/families/program/program_fold.h"
#include "gen/law.h"
#include "value/status.h"

// ---- program_values.c
// Times that a capture shows, and the law that stands for them.

// Times in ticks. Zero is empty; the owner frees ticks.
struct program_values {
	double *ticks;
	size_t count, capacity;
};

// Adds a time. TR_ERROR if out of memory.
enum tr_status program_values_add(struct program_values *values, double ticks,
				  struct tr_error *err);

struct program_moments {
	double mean, variation; // variance over squared mean
};

// 0 without values.
struct program_moments program_values_moments(const struct program_values *values);

// The same without times that are far beyond what is usual: requests and grants that are others'
// small packets. Sorts them.
struct program_moments program_values_usual(struct program_values *values);

// The law by its two first moments: constant, gamma, or lognormal where that would pile up at 0.
void program_law_set(struct law *law, double variation);

// ---- program_phases.c

#define PROGRAM_PATTERNS_MAX 16u

// Sets edges, direction and grid axis of a pattern: 0 .. PROGRAM_OPTIONS - 1.
#define PROGRAM_OPTIONS 12u
void program_phase_set_options(struct program_phase *phase, unsigned options);
unsigned program_phase_options(const struct program_phase *phase);

// A phase as one capture shows it. Exponents and laws of shape are not set.
struct program_seen {
	struct program_phase
		shape;	   // pattern, rounds, edges, direction, pairs (owned), after, order
	uint32_t patterns; // set of 1 << index in program_patterns that have the same messages on
			   // so many nodes
	uint8_t options[PROGRAM_PATTERNS_MAX]; // by that index: those with which it has them
	double bytes;
	bool granted;
	uint32_t ahead; // turns that its ranks are ahead of what they receive, in all but few cases
	struct program_values computes, betweens;
};

// What a phase may be, beside listed pairs.
struct program_allowed {
	uint32_t patterns; // as program_seen's
	uint32_t options;  // set of 1 << these
	bool once;	   // one round
};

// Zero is empty; program_phases_clear frees it.
struct program_phases {
	struct program_seen *seen;
	uint32_t count;
	struct program_values turns; // until a request or a grant is answered
	struct program_values takes; // until a request is granted after the message before it
	struct program_values looks; // of program_looks_measure
};

// Names the phases of a fold, whose slots get their phase and turn. Of several patterns with the
// same messages, that whose order of turns fits the times. TR_ERROR: too many phases, or no memory.
// library: of MPI, which chooses the algorithms of collective operations; NULL: not known. allowed:
// what each of the first PROGRAM_PHASES_MAX phases may be; NULL: any.
enum tr_status program_phases_find(struct program_phases *out, struct program_fold *fold,
				   uint32_t nodes, const char *library,
				   const struct program_allowed *allowed, struct tr_error *err);

// Finds what the messages of each phase wait for, by the least variance over iterations of the time
// from what may be its cause to their begin (program_causes.c), and collects these times. slack: by
// so many ticks a message may begin before its cause has ended, as stamps of different links may.
enum tr_status program_phases_time(struct program_phases *phases, struct program_fold *fold,
				   double slack, struct tr_error *err);

// Collects the times once more, after each message only from when its receiver, so many ticks
// after its last packet, has taken it.
enum tr_status program_phases_lag(struct program_phases *phases, struct program_fold *fold,
				  int64_t lag_ticks, struct tr_error *err);

// ---- program_looks.c

// Adds the times from the first message of each look of a rank until it sees it, of recorded
// messages without a request, whose packets flow so. TR_ERROR: no memory.
enum tr_status program_looks_measure(struct program_values *looks,
				     const struct program_trace *trace,
				     const struct program_flow *flow, struct tr_error *err);

// ---- program_causes.c

// Whether the rank sends or receives in a phase that is known.
bool program_slots_involve(const struct program_fold *fold, uint32_t rank);

// Whether a slot's messages begin long after those of another have ended: on average by more than
// least, and by several times what these take.
bool program_slots_apart(const struct program_fold *fold, uint32_t before, uint32_t after,
			 double least_ticks);

// Whether a slot's messages begin after the end of those of another, in nearly all iterations.
bool program_slots_depend(const struct program_fold *fold, uint32_t before, uint32_t after);

// Whether each message of the list, of these slots, begins after all that its sender receives in
// it; and there are such.
bool program_slots_follow(const struct program_fold *fold, const struct program_list *list,
			  const uint32_t *slots);

// Only what was seen.
struct program_allowed program_phase_allowed(const struct program_seen *seen);

// Frees what it holds; it is empty then.
void program_phases_clear(struct program_phases *phases);

#endif
