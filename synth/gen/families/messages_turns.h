// SPDX-License-Identifier: GPL-3.0-or-later
// Messages that follow one another. At a higher load messages begin sooner, but each takes as long as before, so a sender that sent
// one at a time would send several at once.
#ifndef GEN_FAMILIES_MESSAGES_TURNS_H
#define GEN_FAMILIES_MESSAGES_TURNS_H

#include <stddef.h>
#include <stdint.h>

#include "gen/families/messages_model.h"
#include "trace/status.h"

// Zero is none; messages_turns_clear frees it.
struct messages_turns {
	size_t *line;	     // of each message of the model: what it stands in, one behind the other
	int64_t *free_ticks; // of each line: the end of its last message, to be kept by the caller
};

// Finds the lines of a model whose messages begin at stretch (below 1) times the usual times. TR_ERROR: a node that sends one
// message at a time has no time for so many, or out of memory; *out must be cleared all the same.
enum tr_status messages_turns_find(struct messages_turns *out, const struct messages_model *model, double stretch,
				   struct tr_error *err);

// From the first packet of a message until its sender has sent the last one, at the usual pace.
double messages_sending_s(const struct messages_model *model, const struct messages_send *send);

void messages_turns_clear(struct messages_turns *turns);

#endif
