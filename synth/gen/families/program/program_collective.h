// SPDX-License-Identifier: GPL-3.0-or-later
// Phases of a parallel program that are collective operations: the messages of an algorithm
// (capture/collectives) among any number of nodes.
#ifndef GEN_FAMILIES_PROGRAM_COLLECTIVE_H
#define GEN_FAMILIES_PROGRAM_COLLECTIVE_H

#include "collectives/schedule.h"
#include "gen/families/program/program_model.h"
#include "stream/record.h"

// The pattern of such phases, whose text says which: "allreduce:by=ring",
// "broadcast:by=binomial,root=2".
extern const struct program_pattern program_collective_pattern;

// Whether a text names a kind, and of its keys only by and root. TR_ERROR: err says what is wrong.
enum tr_status program_collective_check(const char *text, struct tr_error *err);

// An operation as records have it, and how its size follows from what the ranks give (NULL: no kind
// does it).
struct program_collective_record {
	const struct program_kind *kind;
	bool rooted;
	bool by_root;	  // the root alone gives
	bool from_blocks; // what is given is a block for each rank; the kind has one
};
const struct program_collective_record *program_collective_record(uint16_t operation);

#endif
