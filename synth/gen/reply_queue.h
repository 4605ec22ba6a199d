// SPDX-License-Identifier: GPL-3.0-or-later
// Packets that will leave later: a heap over their times (Williams, Algorithm 232, 1964). Equal times leave in the order in
// which they were put.
#ifndef GEN_REPLY_QUEUE_H
#define GEN_REPLY_QUEUE_H

#include <stddef.h>
#include <stdint.h>

#include "trace/status.h"

struct reply {
	int64_t ticks;
	uint64_t number; // in the order of putting
	uint32_t src, dst;
	uint32_t size_B;
};

// Zero is a valid empty one; reply_queue_clear frees it.
struct reply_queue {
	struct reply *replies; // replies[0] leaves first; replies[i] not after replies[2 i + 1] and [2 i + 2]
	size_t count, capacity;
	uint64_t put; // so far
};

// Puts one in; its number is set here. TR_ERROR without memory.
enum tr_status reply_queue_put(struct reply_queue *queue, struct reply reply, struct tr_error *err);

// Takes the first one, of one or more.
struct reply reply_queue_take(struct reply_queue *queue);

void reply_queue_clear(struct reply_queue *queue);

#endif
