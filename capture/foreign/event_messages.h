// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of events: one record for each message, from the begin of its send to the end of its
// receive; and one for each rank's part in a collective operation, with the bytes that the rank
// gives to it, to the root (or itself, if there is none). Node r is rank r.
#ifndef FOREIGN_EVENT_MESSAGES_H
#define FOREIGN_EVENT_MESSAGES_H

#include "foreign/rank_events.h"
#include "stream/record.h"

struct message_sink {
	enum tr_status (*put)(void *context, const struct tr_message *message,
			      struct tr_error *err);
	void *context;
};

// Calls put for each message in order of begin, after events_match, until put does not return
// TR_OK; returns its status. A message whose other end is not in the trace is marked partly unseen;
// *early counts messages received before they were sent, whose duration is set to 0. Memory: 16 B a
// message, and 8 B an event.
enum tr_status events_messages(const struct events *events, const struct message_sink *sink,
			       uint64_t *early, struct tr_error *err);

// The operation of a collective event, as records have it.
enum tr_operation event_operation(enum event_collective collective);

#endif
