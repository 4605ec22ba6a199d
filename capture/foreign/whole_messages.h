// SPDX-License-Identifier: GPL-3.0-or-later
// Whole messages (EVENT_MESSAGE) as their destinations get them.
#ifndef FOREIGN_WHOLE_MESSAGES_H
#define FOREIGN_WHOLE_MESSAGES_H

#include "foreign/rank_events.h"

struct inbox_arrival {
	uint32_t source;
	uint32_t event; // of the source
};

// Those to rank r are arrivals[first[r]] .. arrivals[first[r + 1] - 1], in the order of their
// sources.
struct inbox {
	struct inbox_arrival *arrivals;
	uint64_t *first;
	int64_t begin_ticks; // of the first message of all
};

// The next whole message of a rank from event *at on, which moves behind it; NULL: no more.
const struct event *whole_next(const struct event_rank *own, uint32_t *at);

// 8 B a message and a rank. False: out of memory; inbox_clear frees it in any case.
bool inbox_make(struct inbox *inbox, const struct events *events);

// Frees what it holds; it is empty then.
void inbox_clear(struct inbox *inbox);

#endif
