// SPDX-License-Identifier: GPL-3.0-or-later
// What is to happen in a run of an SCI network, by tick: a heap. Events of one tick come in no order.
#ifndef NET_SCI_EVENTS_H
#define NET_SCI_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/arena.h"

enum sci_event_kind {
	SCI_HANDED, // place: host; it hands its adapter the next packet
	SCI_READY,  // place: output; packet joins the transmit queue
	SCI_TAKEN,  // the host at the packet's end has taken it
	SCI_IN,	    // place: output's node; packet, or a symbol of it, arrives on the link into it
	SCI_PASSED, // place: output; what has gone through the node may leave
	SCI_FREE,   // place: output; it may start something
	SCI_IDLE,   // place: output; idle symbols that say go (symbol: 1) or stop (0) come in at it
	SCI_WAKE,   // place: output; its idle symbol that says go is over
};

struct sci_event {
	int64_t ticks;
	uint32_t packet;
	uint32_t place;
	uint16_t symbol;
	uint8_t kind;
};

struct sci_events {
	struct sci_event *heap;
	uint32_t count;
	uint32_t capacity;
};

void sci_events_layout(struct sci_events *events, struct sim_arena *arena, uint32_t capacity);

// False where there is no room.
bool sci_events_push(struct sci_events *events, struct sci_event event);

// Removes the first; there must be one.
struct sci_event sci_events_pop(struct sci_events *events);

// The earliest tick; INT64_MAX if there is none.
static inline int64_t sci_events_next(const struct sci_events *events)
{
	return events->count > 0 ? events->heap[0].ticks : INT64_MAX;
}

#endif
