// SPDX-License-Identifier: GPL-3.0-or-later
// Which receive got which send, by the rules of MPI (MPI 4.0, section 3.5): of the same
// communicator, source, destination and tag, the k-th receive posted gets the k-th message sent. A
// receive from any source or with any tag takes both from its status.
//
// Where the trace has no status, what happened cannot be known: such receives then get what is
// left, in the order in which they were posted and the messages sent, none that was sent after the
// receive had ended. They are marked as guessed.
#ifndef FOREIGN_MATCH_H
#define FOREIGN_MATCH_H

#include "foreign/rank_events.h"

#define MATCH_LOOK_MAX 4096u // messages not received that one guess looks at

struct match_counts {
	uint64_t messages;   // sent and received
	uint64_t guessed;    // of them
	uint64_t unreceived; // sent alone
	uint64_t unsent;     // received alone
};

// Sets link and guessed of all sends and receives. To be called once, after events_finish. Memory:
// about 40 B for each different communicator, source, destination and tag, 16 B a message that no
// receive names, and 8 B an event of the longest rank, until it returns. TR_ERROR: out of memory.
enum tr_status events_match(struct events *events, struct match_counts *counts,
			    struct tr_error *err);

// When each event of the rank had ended: of a request, its wait. ends has room for them all.
void events_ends(const struct events *events, uint32_t rank, int64_t *ends);

// Room for events_ends of any rank; NULL: out of memory.
int64_t *events_ends_room(const struct events *events);

// Whether the event begins a send, blocking or not.
static inline bool event_is_send(const struct event *event)
{
	return event->kind == EVENT_SEND || event->kind == EVENT_ISEND;
}

// Whether the event begins a receive, blocking or not.
static inline bool event_is_recv(const struct event *event)
{
	return event->kind == EVENT_RECV || event->kind == EVENT_IRECV;
}

#endif
