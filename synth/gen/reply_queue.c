// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/reply_queue.h"

#include <stdbool.h>
#include <stdlib.h>

static bool before(const struct reply *a, const struct reply *b)
{
	return a->ticks < b->ticks || (a->ticks == b->ticks && a->number < b->number);
}

enum tr_status reply_queue_put(struct reply_queue *queue, struct reply reply, struct tr_error *err)
{
	size_t at = queue->count;

	if (queue->count == queue->capacity) {
		const size_t capacity = queue->capacity ? 2 * queue->capacity : 64;
		struct reply *more = reallocarray(queue->replies, capacity, sizeof(*more));

		if (!more)
			return tr_no_memory(err, "%zu answers under way", capacity);
		queue->replies = more;
		queue->capacity = capacity;
	}
	reply.number = queue->put++;
	queue->count++;
	for (; at > 0 && before(&reply, &queue->replies[(at - 1) / 2]); at = (at - 1) / 2)
		queue->replies[at] = queue->replies[(at - 1) / 2];
	queue->replies[at] = reply;
	return TR_OK;
}

struct reply reply_queue_take(struct reply_queue *queue)
{
	const struct reply first = queue->replies[0], last = queue->replies[--queue->count];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < queue->count) {
		if (child + 1 < queue->count && before(&queue->replies[child + 1], &queue->replies[child]))
			child++;
		if (!before(&queue->replies[child], &last))
			break;
		queue->replies[at] = queue->replies[child];
		at = child;
	}
	queue->replies[at] = last;
	return first;
}

void reply_queue_clear(struct reply_queue *queue)
{
	free(queue->replies);
	*queue = (struct reply_queue){.replies = NULL};
}
