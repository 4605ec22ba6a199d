// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef REPLAY_FLITSIM_NAMES_AHEAD_H
#define REPLAY_FLITSIM_NAMES_AHEAD_H

#include <stdint.h>

#include "stream/names.h"
#include "value/status.h"

// Names of a trace whose packets are read before the network has taken those before them: each is
// put where it would be if packets were read one at a time.
struct names_ahead {
	enum tr_status (*put)(void *context, const struct tr_name *name, struct tr_error *err);
	void *context;
	struct name_ahead {
		struct tr_name name;
		char *text;
		uint64_t after; // packets
	} * items;
	uint32_t count, room;
	uint32_t given; // those before it are put
	uint64_t read;	// packets: the reader counts them
	uint64_t taken;
};

// A name that was read now: puts it, or keeps it; for tool_on_name, whose context are the struct
// names_ahead. TR_ERROR if out of memory, or it cannot be put.
enum tr_status names_ahead_put(void *names, const struct tr_name *name, struct tr_error *err);

// The network has taken one more packet. TR_ERROR: a name cannot be put.
enum tr_status names_ahead_taken(struct names_ahead *names, struct tr_error *err);

// Frees what it keeps.
void names_ahead_close(struct names_ahead *names);

#endif
