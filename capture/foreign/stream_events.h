// SPDX-License-Identifier: GPL-3.0-or-later
// A stream of messages as events: each is whole (EVENT_MESSAGE), of its rank, or of its node if
// some ranks are not known.
#ifndef FOREIGN_STREAM_EVENTS_H
#define FOREIGN_STREAM_EVENTS_H

#include "foreign/rank_events.h"
#include "stream/reader.h"

// Reads the stream to its end, up to events_finish. *left_out counts the parts of collective
// operations, which are not messages. Memory: 80 B a message besides the events. TR_ERROR: it is of
// another kind, or err is "" and the reader has the reason.
enum tr_status stream_events(struct tr_reader *in, struct events *events, uint64_t *left_out,
			     struct tr_error *err);

#endif
