// SPDX-License-Identifier: GPL-3.0-or-later
// What waits, the earliest first: a queue for what mostly comes in order. An item later than all
// before it goes to the end of a ring, at once; any other to a heap. Each is some place of the
// caller's.
#ifndef POINTS_WAITING_H
#define POINTS_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pt_waiting {
	int64_t time_ns;
	uint32_t place;
};

struct pt_late {
	struct pt_waiting waiting;
	uint64_t number; // of those that were late
};

// Zero is a valid empty one. 16 bytes for each item that there is room for, and 24 for each that
// did not come in order.
struct pt_queue {
	struct pt_waiting *ring;
	struct pt_late *late;
	size_t begin, end, room; // of the ring; room is a power of 2, or 0
	size_t late_count, late_room;
	uint64_t late_ever;
};

// Adds one; of equal times the first that was added comes first. false if out of memory.
bool pt_queue_put(struct pt_queue *queue, struct pt_waiting waiting);

// The earliest, lent until the next call; there is one.
const struct pt_waiting *pt_queue_first(const struct pt_queue *queue);

// About the one so many behind it, without those that are late; NULL if there are fewer.
static inline const struct pt_waiting *pt_queue_ahead(const struct pt_queue *queue, size_t behind)
{
	return queue->end - queue->begin > behind
		       ? &queue->ring[(queue->begin + behind) & (queue->room - 1)]
		       : NULL;
}

// Removes it.
void pt_queue_drop(struct pt_queue *queue);

// How many wait.
static inline size_t pt_queue_count(const struct pt_queue *queue)
{
	return queue->end - queue->begin + queue->late_count;
}

// Frees what it holds.
void pt_queue_close(struct pt_queue *queue);

#endif
