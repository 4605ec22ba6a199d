// SPDX-License-Identifier: GPL-3.0-or-later
// What flitsim remembers of a worm whose fate is known: what its tables are made from.
#ifndef REPLAY_OUTCOME_H
#define REPLAY_OUTCOME_H

#include "net/worm.h"

// Times in ticks; -1 for one that has not come.
struct outcome {
	int64_t time_ticks;    // of the fate: delivered, dropped, or the end of the run
	int64_t planned_ticks; // when it was meant to enter its source's queue
	int64_t created_ticks;
	int64_t started_ticks;
	int64_t injected_ticks;
	int64_t received_ticks;
	uint32_t size_bytes;
	uint8_t class;	// enum tr_class
	uint8_t status; // enum tr_delivery_status
	uint8_t reason; // enum tr_drop_reason
};

static inline struct outcome outcome_of(const struct net_worm *worm, const struct tr_delivery *delivery)
{
	return (struct outcome){
		.time_ticks = delivery->packet.time_ticks,
		.planned_ticks = worm->packet.time_ticks,
		.created_ticks = worm->created_ticks,
		.started_ticks = worm->started_ticks,
		.injected_ticks = worm->injected_ticks,
		.received_ticks = worm->received_ticks,
		.size_bytes = worm->size_bytes,
		.class = worm->packet.class,
		.status = delivery->status,
		.reason = delivery->reason,
	};
}

// Of a delivered worm, size / (delivered - start of the fetch), in 1e-3 B/s: the throughput of Yates
// 1997.
static inline int64_t outcome_worm_mBps(const struct outcome *outcome, uint64_t ticks_per_s)
{
	return (int64_t)((__int128)outcome->size_bytes * 1000 * ticks_per_s /
			 (uint64_t)(outcome->time_ticks - outcome->started_ticks));
}

#endif
