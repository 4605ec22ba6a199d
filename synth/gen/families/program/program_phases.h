// SPDX-License-Identifier: GPL-3.0-or-later
// The phases of a folded capture: which messages form a pattern, what each waits for, and how long ranks compute in between.
#ifndef GEN_FAMILIES_PROGRAM_PHASES_H
#define GEN_FAMILIES_PROGRAM_PHASES_H

#include "gen/families/program/program_fold.h"
#include "gen/families/program/program_values.h"

// A phase as one capture shows it. Exponents and laws of shape are not set.
struct program_seen {
	struct program_phase shape; // pattern, rounds, edges, direction, pairs (owned), after, order
	uint32_t patterns;	    // set of 1 << index in program_patterns that have the same messages on so many nodes
	double bytes;
	bool granted;
	struct program_values computes, betweens;
};

// Zero is empty; program_phases_clear frees it.
struct program_phases {
	struct program_seen *seen;
	uint32_t count;
	struct program_values turns; // until a request or a grant is answered
};

// Names the phases of a fold, whose slots get their phase and turn. Of several patterns with the same messages, that whose order of
// turns fits the times. TR_ERROR: too many phases, or no memory.
// library: of MPI, which chooses the algorithms of collective operations; NULL: not known. allowed: the patterns that each of the
// first PROGRAM_PHASES_MAX phases may be, as program_seen's; NULL: any.
enum tr_status program_phases_find(struct program_phases *out, struct program_fold *fold, uint32_t nodes, const char *library,
				   const uint32_t *allowed, struct tr_error *err);

// Finds what the messages of each phase wait for, by the least variance over iterations of the time from what may be its cause to
// their begin (program_causes.c), and collects these times. slack: by so many ticks a message may begin before its cause has ended,
// as stamps of different links may.
enum tr_status program_phases_time(struct program_phases *phases, const struct program_fold *fold, double slack,
				   struct tr_error *err);

void program_phases_clear(struct program_phases *phases);

#endif
