// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/event_messages.h"

#include <stdlib.h>

#include "foreign/match.h"
#include "value/order.h"

enum tr_operation event_operation(enum event_collective collective)
{
	static const uint8_t operations[COLLECTIVES] = {
		[COLLECTIVE_BARRIER] = TR_OP_BARRIER,
		[COLLECTIVE_BCAST] = TR_OP_BCAST,
		[COLLECTIVE_REDUCE] = TR_OP_REDUCE,
		[COLLECTIVE_ALLREDUCE] = TR_OP_ALLREDUCE,
		[COLLECTIVE_GATHER] = TR_OP_GATHER,
		[COLLECTIVE_ALLGATHER] = TR_OP_ALLGATHER,
		[COLLECTIVE_SCATTER] = TR_OP_SCATTER,
		[COLLECTIVE_ALLTOALL] = TR_OP_ALLTOALL,
		[COLLECTIVE_REDUCE_SCATTER] = TR_OP_REDUCE_SCATTER,
		[COLLECTIVE_SCAN] = TR_OP_SCAN,
		[COLLECTIVE_EXSCAN] = TR_OP_EXSCAN,
	};

	return operations[collective];
}

struct item {
	int64_t begin_ticks;
	uint32_t rank;
	uint32_t event;
};

static int event_messages_in_time(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	ORDER_BY(x->begin_ticks, y->begin_ticks);
	ORDER_BY(x->rank, y->rank);
	return ORDER(x->event, y->event);
}

// Whether the event is a message of its own: a receive is one if nothing is known of its send but
// the source.
static bool event_messages_is_message(const struct event *event)
{
	switch (event->kind) {
	case EVENT_SEND:
	case EVENT_ISEND:
	case EVENT_COLLECTIVE:
	case EVENT_MESSAGE: return true;
	case EVENT_RECV:
	case EVENT_IRECV: return event->link == EVENT_NOBODY && event->peer != EVENT_ANY;
	default: return false;
	}
}

static size_t event_messages_gather(const struct events *events, struct item *items)
{
	size_t count = 0;

	for (uint32_t rank = 0; rank < events->ranks; rank++)
		for (uint32_t i = 0; i < events->by_rank[rank].count; i++) {
			const struct event *event = &events->by_rank[rank].events[i];

			if (!event_messages_is_message(event))
				continue;
			if (items)
				items[count] = (struct item){event->begin_ticks, rank, i};
			count++;
		}
	return count;
}

static void fill_collective(const struct events *events, const struct event *event, uint32_t rank,
			    struct tr_message *out)
{
	uint32_t count;
	const uint32_t *members = events_members(events, rank, event->communicator, &count);

	out->operation = (uint16_t)event_operation(event->collective);
	out->size_bytes = events_given(events, rank, event);
	out->dst_rank = event->peer < count ? members[event->peer] : rank;
	out->tag = 0;
}

static struct tr_message event_messages_make(const struct events *events, const struct item *item,
					     int64_t *const *ends, uint64_t *early)
{
	const struct event *event = &events->by_rank[item->rank].events[item->event];
	struct tr_message out = {
		.begin_ticks = item->begin_ticks,
		.end_ticks = ends[item->rank][item->event],
		.size_bytes = event->bytes,
		.tag = event->tag == EVENT_ANY_TAG ? -1 : event->tag,
		.communicator = event_communicator_of(events, item->rank, event)->id,
		.src_rank = item->rank,
		.dst_rank = event->peer};

	if (event->kind == EVENT_COLLECTIVE) {
		fill_collective(events, event, item->rank, &out);
	} else if (event_is_recv(event)) {
		out.operation = event->kind == EVENT_RECV ? TR_OP_RECV : TR_OP_IRECV;
		out.flags = TR_MESSAGE_PARTLY;
		out.src_rank = event->peer;
		out.dst_rank = item->rank;
	} else {
		out.operation = event->kind == EVENT_ISEND ? TR_OP_ISEND : TR_OP_SEND;
		if (event->link != EVENT_NOBODY)
			out.end_ticks = ends[event->peer][event->link];
		else if (event->kind != EVENT_MESSAGE)
			out.flags = TR_MESSAGE_PARTLY;
	}
	if (out.end_ticks < out.begin_ticks) {
		out.end_ticks = out.begin_ticks;
		*early += 1;
	}
	out.src = out.src_rank;
	out.dst = out.dst_rank;
	if (event->kind == EVENT_MESSAGE &&
	    events->names[item->rank]) // a node with a name, no rank
		out.src_rank = out.dst_rank = TR_RANK_NONE;
	return out;
}

static void free_ends(int64_t **ends, uint32_t ranks)
{
	for (uint32_t rank = 0; ends && rank < ranks; rank++)
		free(ends[rank]);
	free(ends);
}

// When each event of each rank had ended. NULL: out of memory.
static int64_t **all_ends(const struct events *events)
{
	int64_t **ends = calloc((size_t)events->ranks + 1, sizeof(*ends));

	for (uint32_t rank = 0; ends && rank < events->ranks; rank++) {
		ends[rank] = reallocarray(NULL, events->by_rank[rank].count + 1, sizeof(**ends));
		if (!ends[rank]) {
			free_ends(ends, events->ranks);
			return NULL;
		}
		events_ends(events, rank, ends[rank]);
	}
	return ends;
}

enum tr_status events_messages(const struct events *events, const struct message_sink *sink,
			       uint64_t *early, struct tr_error *err)
{
	size_t count = event_messages_gather(events, NULL);
	struct item *items = reallocarray(NULL, count + 1, sizeof(*items));
	int64_t **ends = all_ends(events);
	enum tr_status status = TR_OK;

	*early = 0;
	if (items && ends) {
		event_messages_gather(events, items);
		qsort(items, count, sizeof(*items), event_messages_in_time);
	} else {
		status = tr_no_memory(err, "%zu messages", count);
	}
	for (size_t i = 0; status == TR_OK && i < count; i++) {
		struct tr_message message = event_messages_make(events, &items[i], ends, early);

		message.id = i;
		status = sink->put(sink->context, &message, err);
	}
	free_ends(ends, events->ranks);
	free(items);
	return status;
}
