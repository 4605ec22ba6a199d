// SPDX-License-Identifier: GPL-3.0-or-later
// Queue pairs that exchange random messages over a network and past a capture that both lose
// packets, and that send them again as InfiniBand does: what the capture holds, and which messages
// it holds whole.
#ifndef VERBS_WORLD_H
#define VERBS_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packet/verbs.h"
#include "value/random.h"

#define WORLD_SIDES_MAX 64u // directions of queue pairs

struct world_setting {
	unsigned sides;	   // even: side and side ^ 1 are the two directions
	unsigned messages; // of each side
	double dropped;	   // before the capture, and after it
	double uncaptured;
	double twice; // captured
	double overtaken;
	uint32_t first_step; // the capture begins then
	bool same_psn;	     // all begin with the same number
};

// A packet in the capture.
struct world_event {
	int64_t time_ns;
	uint32_t side;	  // that sent it
	uint32_t message; // PSN of a resent part of a read: UINT32_MAX
	uint32_t at;	  // of the message
	struct pk_packet packet;
	uint8_t headers[28];
	bool response;
};

struct world_message {
	struct tr_message record;	   // times of what was captured
	uint32_t side, psn, numbers, seen; // packets of it, for a read with the request
	uint8_t *captured;		   // by place
	bool doubtful;	// its first request was not captured, and a later one was
	bool unsettled; // it may be the rest of a read before the capture: it is the first captured
			// of its side, which no response counts as the connection's first
};

struct world {
	struct world_event *events;
	size_t event_count, event_capacity;
	struct world_message *messages;
	size_t message_count;
};

// The caller frees it by world_free.
void world_make(struct world *world, const struct world_setting *setting, struct tr_random *random);
void world_free(struct world *world);

#endif
