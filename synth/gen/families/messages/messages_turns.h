// SPDX-License-Identifier: GPL-3.0-or-later
// The order of messages at higher loads. At a higher load messages begin sooner, but each takes as
// long as before, so a node that sent one at a time would send several at once, and a message would
// begin before the end of those that it waited for.
#ifndef GEN_FAMILIES_MESSAGES_TURNS_H
#define GEN_FAMILIES_MESSAGES_TURNS_H

#include <stddef.h>
#include <stdint.h>

#include "gen/families/messages/messages_model.h"
#include "value/status.h"

// One message of the model.
struct messages_turn {
	size_t line;	 // the queue of messages that it belongs to
	size_t after[2]; // what its sender and its receiver had received last; the number of all
			 // messages: nothing
	int64_t data_ticks,
		end_ticks; // when its data begin, and when the last packet is sent, as planned last
};

// Zero is none; messages_turns_clear frees it.
struct messages_turns {
	struct messages_turn *each; // by message of the model; one more, of nothing, ended long ago
	const struct messages_send **sorted; // by iteration, then by the begin of the data
	int64_t *free_ticks;		     // of each line: the end of its last message
	double ticks_per_s, stretch;
};

// Finds the order of the messages of a model that begin at stretch (below 1) times the usual times;
// ticks_per_s: inside a message. The model must outlive *out. TR_ERROR: a node that sends one
// message at a time has no time for so many, or out of memory; *out must be cleared all the same.
enum tr_status messages_turns_find(struct messages_turns *out, const struct messages_model *model,
				   double ticks_per_s, double stretch, struct tr_error *err);

// Plans an iteration that begins at this time.
void messages_turns_plan(struct messages_turns *turns, const struct messages_model *model,
			 const struct messages_iteration *iteration, int64_t begin_ticks);

// Frees what it holds; it is empty then.
void messages_turns_clear(struct messages_turns *turns);

#endif
