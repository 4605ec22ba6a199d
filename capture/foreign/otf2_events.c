// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of collective operations are those that Score-P writes: what a rank sends counts once for each rank that gets it,
// itself included.
#include "foreign/otf2_archive.h"

static int64_t ticks(const struct otf2_archive *archive, OTF2_TimeStamp time)
{
	return (int64_t)(time - archive->offset_ticks);
}

static OTF2_CallbackCode put(struct otf2_archive *archive, struct event *event, OTF2_TimeStamp time, OTF2_CommRef communicator,
			     uint64_t request)
{
	event->end_ticks = ticks(archive, time);
	event->begin_ticks = archive->within ? archive->entered : event->end_ticks;
	if (communicator != OTF2_UNDEFINED_COMM) {
		event->communicator = tr_id_get(&archive->now->own, communicator);
		if (event->communicator == UINT32_MAX) {
			event->communicator = EVENT_WORLD;
			event->kind = EVENT_CALL;
			event->pending = false;
			archive->events->unknown_members++;
		}
	}
	if (events_add(archive->events, archive->now->rank, event, request, archive->err) != TR_OK) {
		archive->failed = true;
		return OTF2_CALLBACK_INTERRUPT;
	}
	return OTF2_CALLBACK_SUCCESS;
}

#define OF_EVENT \
	OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *context, OTF2_AttributeList *attributes
#define UNUSED_OF_EVENT (void)location, (void)position, (void)attributes

static OTF2_CallbackCode on_enter(OF_EVENT, OTF2_RegionRef region)
{
	struct otf2_archive *archive = context;

	UNUSED_OF_EVENT;
	if (tr_id_get(&archive->is_mpi, region) != 1)
		return OTF2_CALLBACK_SUCCESS;
	archive->within = true;
	archive->entered = ticks(archive, time);
	archive->first = archive->events->by_rank[archive->now->rank].count;
	return OTF2_CALLBACK_SUCCESS;
}

// The calls that were found since the region was entered last until it is left.
static OTF2_CallbackCode on_leave(OF_EVENT, OTF2_RegionRef region)
{
	struct otf2_archive *archive = context;
	struct event_rank *own = &archive->events->by_rank[archive->now->rank];
	struct event call = {.kind = EVENT_CALL};

	UNUSED_OF_EVENT;
	if (!archive->within || tr_id_get(&archive->is_mpi, region) != 1)
		return OTF2_CALLBACK_SUCCESS;
	for (uint32_t i = archive->first; i < own->count; i++)
		if (own->events[i].end_ticks < ticks(archive, time))
			own->events[i].end_ticks = ticks(archive, time);
	if (archive->first == own->count && put(archive, &call, time, OTF2_UNDEFINED_COMM, 0) != OTF2_CALLBACK_SUCCESS)
		return OTF2_CALLBACK_INTERRUPT;
	archive->within = false;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_send(OF_EVENT, uint32_t to, OTF2_CommRef communicator, uint32_t tag, uint64_t bytes)
{
	struct event event = {.kind = EVENT_SEND, .peer = to, .tag = (int32_t)tag, .bytes = bytes};

	UNUSED_OF_EVENT;
	return put(context, &event, time, communicator, 0);
}

static OTF2_CallbackCode on_isend(OF_EVENT, uint32_t to, OTF2_CommRef communicator, uint32_t tag, uint64_t bytes,
				  uint64_t request)
{
	struct event event = {.kind = EVENT_ISEND, .peer = to, .tag = (int32_t)tag, .bytes = bytes};

	UNUSED_OF_EVENT;
	return put(context, &event, time, communicator, request);
}

static OTF2_CallbackCode on_recv(OF_EVENT, uint32_t from, OTF2_CommRef communicator, uint32_t tag, uint64_t bytes)
{
	struct event event = {.kind = EVENT_RECV, .peer = from, .tag = (int32_t)tag, .bytes = bytes};

	UNUSED_OF_EVENT;
	return put(context, &event, time, communicator, 0);
}

// Whom it is from is known when it ends.
static OTF2_CallbackCode on_irecv_begin(OF_EVENT, uint64_t request)
{
	struct event event = {.kind = EVENT_IRECV, .peer = EVENT_NOBODY, .tag = EVENT_ANY_TAG};

	UNUSED_OF_EVENT;
	return put(context, &event, time, OTF2_UNDEFINED_COMM, request);
}

static OTF2_CallbackCode on_end(OF_EVENT, uint64_t request)
{
	struct event event = {.kind = EVENT_WAIT, .peer = EVENT_ANY, .tag = EVENT_ANY_TAG, .bytes = UINT64_MAX};

	UNUSED_OF_EVENT;
	return put(context, &event, time, OTF2_UNDEFINED_COMM, request);
}

// An archive may leave out that the receive began: it is blocking then, as far as is known.
static OTF2_CallbackCode on_irecv(OF_EVENT, uint32_t from, OTF2_CommRef communicator, uint32_t tag, uint64_t bytes,
				  uint64_t request)
{
	struct otf2_archive *archive = context;
	struct event_rank *own = &archive->events->by_rank[archive->now->rank];
	OTF2_CallbackCode code = on_end(location, time, position, context, attributes, request);
	struct event *wait = own->count ? &own->events[own->count - 1] : NULL;
	uint32_t number = tr_id_get(&archive->now->own, communicator);
	struct event *recv;

	if (code != OTF2_CALLBACK_SUCCESS || !wait)
		return code;
	if (wait->kind != EVENT_WAIT) {
		archive->events->unknown_waits--;
		own->count--;
		archive->events->total--;
		return on_recv(location, time, position, context, attributes, from, communicator, tag, bytes);
	}
	recv = &own->events[wait->link];
	if (recv->kind != EVENT_IRECV || number == UINT32_MAX) {
		archive->events->unknown_members += recv->kind == EVENT_IRECV;
		return OTF2_CALLBACK_SUCCESS;
	}
	recv->peer = from;
	recv->tag = (int32_t)tag;
	recv->bytes = bytes;
	recv->communicator = number;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_cancelled(OF_EVENT, uint64_t request)
{
	struct otf2_archive *archive = context;

	UNUSED_OF_EVENT;
	(void)time;
	events_cancel(archive->events, archive->now->rank, request);
	return OTF2_CALLBACK_SUCCESS;
}

// ---- collective operations

// Which part of the sizes is MPI's count and type.
enum share { SHARE_NONE, SHARE_SENT, SHARE_SENT_TO_EACH, SHARE_RECEIVED, SHARE_OF_BEFORE };

static const struct operation {
	OTF2_CollectiveOp code;
	enum event_collective collective;
	enum share share;
} operations[] = {
	{OTF2_COLLECTIVE_OP_BARRIER, COLLECTIVE_BARRIER, SHARE_NONE},
	{OTF2_COLLECTIVE_OP_BCAST, COLLECTIVE_BCAST, SHARE_RECEIVED},
	{OTF2_COLLECTIVE_OP_GATHER, COLLECTIVE_GATHER, SHARE_SENT},
	{OTF2_COLLECTIVE_OP_GATHERV, COLLECTIVE_GATHER, SHARE_SENT},
	{OTF2_COLLECTIVE_OP_SCATTER, COLLECTIVE_SCATTER, SHARE_RECEIVED},
	{OTF2_COLLECTIVE_OP_SCATTERV, COLLECTIVE_SCATTER, SHARE_RECEIVED},
	{OTF2_COLLECTIVE_OP_ALLGATHER, COLLECTIVE_ALLGATHER, SHARE_SENT_TO_EACH},
	{OTF2_COLLECTIVE_OP_ALLGATHERV, COLLECTIVE_ALLGATHER, SHARE_SENT_TO_EACH},
	{OTF2_COLLECTIVE_OP_ALLTOALL, COLLECTIVE_ALLTOALL, SHARE_SENT_TO_EACH},
	{OTF2_COLLECTIVE_OP_ALLTOALLV, COLLECTIVE_ALLTOALL, SHARE_SENT_TO_EACH},
	{OTF2_COLLECTIVE_OP_ALLTOALLW, COLLECTIVE_ALLTOALL, SHARE_SENT_TO_EACH},
	{OTF2_COLLECTIVE_OP_ALLREDUCE, COLLECTIVE_ALLREDUCE, SHARE_SENT_TO_EACH},
	{OTF2_COLLECTIVE_OP_REDUCE, COLLECTIVE_REDUCE, SHARE_SENT},
	{OTF2_COLLECTIVE_OP_REDUCE_SCATTER, COLLECTIVE_REDUCE_SCATTER, SHARE_SENT},
	{OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, COLLECTIVE_REDUCE_SCATTER, SHARE_SENT},
	{OTF2_COLLECTIVE_OP_SCAN, COLLECTIVE_SCAN, SHARE_OF_BEFORE},
	{OTF2_COLLECTIVE_OP_EXSCAN, COLLECTIVE_EXSCAN, SHARE_OF_BEFORE},
};

static uint64_t bytes_of(const struct otf2_archive *archive, const struct operation *operation, uint32_t number, uint64_t sent,
			 uint64_t received)
{
	uint32_t place = archive->events->by_rank[archive->now->rank].communicators[number].place;
	uint32_t ranks;

	(void)events_members(archive->events, archive->now->rank, number, &ranks);
	switch (operation->share) {
	case SHARE_SENT: return sent;
	case SHARE_SENT_TO_EACH: return sent / ranks;
	case SHARE_RECEIVED: return received ? received : sent / ranks;
	case SHARE_OF_BEFORE:
		place += operation->collective == COLLECTIVE_SCAN;
		return place ? received / place : ranks > 1 ? sent / (ranks - 1) : 0;
	default: return 0;
	}
}

// The event of a collective operation, but for its times and communicator; of handles and windows only a call.
static struct event collective_event(const struct otf2_archive *archive, OTF2_CollectiveOp code, OTF2_CommRef communicator,
				     uint32_t root, uint64_t sent, uint64_t received)
{
	uint32_t number = tr_id_get(&archive->now->own, communicator);
	const struct operation *operation = NULL;
	struct event event = {.kind = EVENT_CALL};

	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations) && !operation; i++)
		if (operations[i].code == code)
			operation = &operations[i];
	if (!operation || number == UINT32_MAX)
		return event;
	event.kind = EVENT_COLLECTIVE;
	event.collective = (uint8_t)operation->collective;
	event.peer = root < OTF2_COLLECTIVE_ROOT_THIS_GROUP ? root : EVENT_NOBODY;
	event.communicator = number;
	event.bytes = bytes_of(archive, operation, number, sent, received);
	return event;
}

static OTF2_CallbackCode on_collective(OF_EVENT, OTF2_CollectiveOp code, OTF2_CommRef communicator, uint32_t root,
				       uint64_t sent, uint64_t received)
{
	struct otf2_archive *archive = context;
	struct event event = collective_event(archive, code, communicator, root, sent, received);

	UNUSED_OF_EVENT;
	return put(archive, &event, time, event.kind == EVENT_CALL ? OTF2_UNDEFINED_COMM : communicator, 0);
}

// One that did not block is known when it ends, in the place where it began.
static OTF2_CallbackCode on_collective_end(OF_EVENT, OTF2_CollectiveOp code, OTF2_CommRef communicator, uint32_t root,
					   uint64_t sent, uint64_t received, uint64_t request)
{
	struct otf2_archive *archive = context;
	struct event_rank *own = &archive->events->by_rank[archive->now->rank];
	const struct event event = collective_event(archive, code, communicator, root, sent, received);
	OTF2_CallbackCode result = on_end(location, time, position, context, attributes, request);
	const struct event *wait = own->count ? &own->events[own->count - 1] : NULL;
	struct event *begun;

	if (result != OTF2_CALLBACK_SUCCESS || !wait || wait->kind != EVENT_WAIT)
		return result;
	begun = &own->events[wait->link];
	begun->kind = event.kind;
	begun->collective = event.collective;
	begun->peer = event.peer;
	begun->communicator = event.communicator;
	begun->bytes = event.bytes;
	return OTF2_CALLBACK_SUCCESS;
}

void otf2_set_callbacks(OTF2_EvtReaderCallbacks *callbacks)
{
	OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
	OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
	OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, on_send);
	OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_isend);
	OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, on_end);
	OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_recv);
	OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, on_irecv_begin);
	OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_irecv);
	OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, on_cancelled);
	OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective);
	OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, on_irecv_begin);
	OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, on_collective_end);
}
