// SPDX-License-Identifier: GPL-3.0-or-later
// Each rank of a group has a message for each other of it, all at once: what a transposition needs.
#ifndef GEN_PROGRAMS_EXCHANGE_H
#define GEN_PROGRAMS_EXCHANGE_H

#include "gen/programs/sequence.h"

// Member m of a group is rank first + m stride.
struct exchange {
	uint32_t first;
	uint32_t stride;
	uint32_t members;
	uint32_t own;	// number of the member that writes
	uint64_t bytes; // of a message
	uint32_t tag;
};

// Sends to those behind it and receives from those before it in the group, nearest first; goes on when all are done.
void exchange_all(struct sequence *sequence, const struct exchange *exchange);

#endif
