// SPDX-License-Identifier: GPL-3.0-or-later
// The messages of a collective operation among any number of ranks, in turns.
#ifndef COLLECTIVES_SCHEDULE_H
#define COLLECTIVES_SCHEDULE_H

#include "collectives/sequence.h"

struct schedule_message {
	uint32_t src, dst, turn;
	uint64_t bytes;
	struct blocks blocks; // by the sender's numbers
};

struct schedule {
	struct schedule_message *list; // by turn, src and dst
	size_t count;
	uint32_t turns;
	uint32_t parts; // that blocks count
};

// The kind of operations that a text such as "allreduce:by=ring" names; NULL: none.
const struct program_kind *schedule_kind(const char *text);

// Reads the operation for so many ranks and bytes into a state of PROGRAM_STATE_BYTES. TR_ERROR: a
// key or value is wrong.
enum tr_status schedule_state(const char *text, uint32_t ranks, uint64_t bytes, void *state,
			      struct tr_error *err);

// Lists the messages: the turn of each is after those of all earlier steps of both its ranks.
// schedule_clear frees it in any case. TR_END: more than most. TR_ERROR: as above, or out of
// memory.
enum tr_status schedule_make(struct schedule *out, const char *text, uint32_t ranks, uint64_t bytes,
			     size_t most, struct tr_error *err);
void schedule_clear(struct schedule *schedule);

#endif
