// SPDX-License-Identifier: GPL-3.0-or-later
#include "points/waiting.h"

#include <stdlib.h>

#include "value/grow.h"
#include "value/heap.h"

#define FIRST_ROOM 1024u

static bool late_before(const struct pt_late *a, const struct pt_late *b)
{
	return a->waiting.time_ns != b->waiting.time_ns ? a->waiting.time_ns < b->waiting.time_ns
							: a->number < b->number;
}

HEAP(late, struct pt_late, late_before);

static struct pt_waiting *queue_ring_at(const struct pt_queue *queue, size_t at)
{
	return &queue->ring[at & (queue->room - 1)];
}

// Twice the room, with the ring from its begin on.
static bool grow_ring(struct pt_queue *queue)
{
	const size_t more = queue->room ? 2 * queue->room : FIRST_ROOM;
	struct pt_waiting *ring = malloc(more * sizeof(*ring));

	if (!ring)
		return false;
	for (size_t i = queue->begin; i < queue->end; i++)
		ring[i - queue->begin] = *queue_ring_at(queue, i);
	queue->end -= queue->begin;
	queue->begin = 0;
	free(queue->ring);
	queue->ring = ring;
	queue->room = more;
	return true;
}

bool pt_queue_put(struct pt_queue *queue, struct pt_waiting waiting)
{
	if (queue->begin < queue->end &&
	    waiting.time_ns < queue_ring_at(queue, queue->end - 1)->time_ns) {
		if (!GROW(queue->late, queue->late_room, queue->late_count))
			return false;
		late_put(queue->late, queue->late_count++,
			 (struct pt_late){waiting, queue->late_ever++});
		return true;
	}
	if (queue->end - queue->begin == queue->room && !grow_ring(queue))
		return false;
	*queue_ring_at(queue, queue->end++) = waiting;
	return true;
}

// What is late came before the end of the ring, which is there as long as it, and after all of the
// ring that has its time.
static bool is_late_first(const struct pt_queue *queue)
{
	return queue->late_count > 0 &&
	       queue->late->waiting.time_ns < queue_ring_at(queue, queue->begin)->time_ns;
}

const struct pt_waiting *pt_queue_first(const struct pt_queue *queue)
{
	return is_late_first(queue) ? &queue->late->waiting : queue_ring_at(queue, queue->begin);
}

void pt_queue_drop(struct pt_queue *queue)
{
	if (is_late_first(queue))
		(void)late_take(queue->late, --queue->late_count);
	else
		queue->begin++;
}

void pt_queue_close(struct pt_queue *queue)
{
	free(queue->ring);
	free(queue->late);
	*queue = (struct pt_queue){.room = 0};
}
