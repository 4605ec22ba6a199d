// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of collective operations are those that Score-P writes: what a rank sends counts once for
// each rank that gets it, itself included.
#include "foreign/otf2_archive.h"

#include <stdlib.h>

static int64_t ticks(const struct otf2_archive *archive, OTF2_TimeStamp time)
{
	return (int64_t)(time - archive->offset_ticks);
}

static OTF2_CallbackCode otf2_events_put(struct otf2_archive *archive, struct event *event,
					 OTF2_TimeStamp time, OTF2_CommRef communicator,
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
	if (events_add(archive->events, archive->now->rank, event, request, archive->err) !=
	    TR_OK) {
		archive->failed = true;
		return OTF2_CALLBACK_INTERRUPT;
	}
	return OTF2_CALLBACK_SUCCESS;
}

#define OF_EVENT \
	OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *context, \
		OTF2_AttributeList *attributes
#define UNUSED_OF_EVENT (void)location, (void)position, (void)attributes

static OTF2_CallbackCode on_enter(OF_EVENT, OTF2_RegionRef region)
{
	struct otf2_archive *archive = context;

	UNUSED_OF_EVENT;
	if (tr_id_get(&archive->mpi, region) == UINT32_MAX)
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
	const uint32_t name = tr_id_get(&archive->mpi, region);

	UNUSED_OF_EVENT;
	if (!archive->within || name == UINT32_MAX)
		return OTF2_CALLBACK_SUCCESS;
	archive->events->unsaid += archive->first == own->count &&
				   tr_id_get(&archive->neighbours, name) == 1;
	for (uint32_t i = archive->first; i < own->count; i++)
		if (own->events[i].end_ticks < ticks(archive, time))
			own->events[i].end_ticks = ticks(archive, time);
	if (archive->first == own->count &&
	    otf2_events_put(archive, &call, time, OTF2_UNDEFINED_COMM, 0) != OTF2_CALLBACK_SUCCESS)
		return OTF2_CALLBACK_INTERRUPT;
	archive->within = false;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_send(OF_EVENT, uint32_t to, OTF2_CommRef communicator, uint32_t tag,
				 uint64_t bytes)
{
	struct event event = {.kind = EVENT_SEND, .peer = to, .tag = (int32_t)tag, .bytes = bytes};

	UNUSED_OF_EVENT;
	return otf2_events_put(context, &event, time, communicator, 0);
}

static OTF2_CallbackCode on_isend(OF_EVENT, uint32_t to, OTF2_CommRef communicator, uint32_t tag,
				  uint64_t bytes, uint64_t request)
{
	struct event event = {.kind = EVENT_ISEND, .peer = to, .tag = (int32_t)tag, .bytes = bytes};

	UNUSED_OF_EVENT;
	return otf2_events_put(context, &event, time, communicator, request);
}

static OTF2_CallbackCode on_recv(OF_EVENT, uint32_t from, OTF2_CommRef communicator, uint32_t tag,
				 uint64_t bytes)
{
	struct event event = {
		.kind = EVENT_RECV, .peer = from, .tag = (int32_t)tag, .bytes = bytes};

	UNUSED_OF_EVENT;
	return otf2_events_put(context, &event, time, communicator, 0);
}

// Whom it is from is known when it ends.
static OTF2_CallbackCode on_irecv_begin(OF_EVENT, uint64_t request)
{
	struct event event = {.kind = EVENT_IRECV, .peer = EVENT_NOBODY, .tag = EVENT_ANY_TAG};

	UNUSED_OF_EVENT;
	return otf2_events_put(context, &event, time, OTF2_UNDEFINED_COMM, request);
}

static OTF2_CallbackCode on_end(OF_EVENT, uint64_t request)
{
	struct event event = {
		.kind = EVENT_WAIT, .peer = EVENT_ANY, .tag = EVENT_ANY_TAG, .bytes = UINT64_MAX};

	UNUSED_OF_EVENT;
	return otf2_events_put(context, &event, time, OTF2_UNDEFINED_COMM, request);
}

// An archive may leave out that the receive began: it is blocking then, as far as is known.
static OTF2_CallbackCode on_irecv(OF_EVENT, uint32_t from, OTF2_CommRef communicator, uint32_t tag,
				  uint64_t bytes, uint64_t request)
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
		return on_recv(location, time, position, context, attributes, from, communicator,
			       tag, bytes);
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

// How the sizes of a rank are made of its block b, for n ranks of which it is number p (Score-P 8,
// src/adapters/mpi/scorep_mpi_coll.inc.c). In place, a rank's own share is left out.
enum otf2_share {
	SHARE_NONE,
	SHARE_TO_ROOT,	 // b sent, n b received by the root
	SHARE_FROM_ROOT, // n b sent by the root, b received
	SHARE_OF_ROOT,	 // the same, of blocks that differ
	SHARE_EACH,	 // n b sent
	SHARE_ALL,	 // b is all that is sent
	SHARE_COUNTS,	 // n blocks that differ are sent
	SHARE_BLOCKS,	 // n equal ones, which are the event's bytes together
	SHARE_SCAN,	 // (n - p) b sent, (p + 1) b received
	SHARE_EXSCAN,	 // (n - p - 1) b sent, p b received
};

static const struct otf2_events_operation {
	OTF2_CollectiveOp code;
	enum event_collective collective;
	enum otf2_share share;
} operations[] = {
	{OTF2_COLLECTIVE_OP_BARRIER, COLLECTIVE_BARRIER, SHARE_NONE},
	{OTF2_COLLECTIVE_OP_BCAST, COLLECTIVE_BCAST, SHARE_FROM_ROOT},
	{OTF2_COLLECTIVE_OP_GATHER, COLLECTIVE_GATHER, SHARE_TO_ROOT},
	{OTF2_COLLECTIVE_OP_GATHERV, COLLECTIVE_GATHER, SHARE_ALL},
	{OTF2_COLLECTIVE_OP_SCATTER, COLLECTIVE_SCATTER, SHARE_FROM_ROOT},
	{OTF2_COLLECTIVE_OP_SCATTERV, COLLECTIVE_SCATTER, SHARE_OF_ROOT},
	{OTF2_COLLECTIVE_OP_ALLGATHER, COLLECTIVE_ALLGATHER, SHARE_EACH},
	{OTF2_COLLECTIVE_OP_ALLGATHERV, COLLECTIVE_ALLGATHER, SHARE_EACH},
	{OTF2_COLLECTIVE_OP_ALLTOALL, COLLECTIVE_ALLTOALL, SHARE_EACH},
	{OTF2_COLLECTIVE_OP_ALLTOALLV, COLLECTIVE_ALLTOALL, SHARE_COUNTS},
	{OTF2_COLLECTIVE_OP_ALLTOALLW, COLLECTIVE_ALLTOALL, SHARE_COUNTS},
	{OTF2_COLLECTIVE_OP_ALLREDUCE, COLLECTIVE_ALLREDUCE, SHARE_EACH},
	{OTF2_COLLECTIVE_OP_REDUCE, COLLECTIVE_REDUCE, SHARE_TO_ROOT},
	{OTF2_COLLECTIVE_OP_REDUCE_SCATTER, COLLECTIVE_REDUCE_SCATTER, SHARE_ALL},
	{OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, COLLECTIVE_REDUCE_SCATTER, SHARE_BLOCKS},
	{OTF2_COLLECTIVE_OP_SCAN, COLLECTIVE_SCAN, SHARE_SCAN},
	{OTF2_COLLECTIVE_OP_EXSCAN, COLLECTIVE_EXSCAN, SHARE_EXSCAN},
};

// Sizes of a rank in an operation.
struct otf2_sizes {
	uint64_t sent, received;
	uint32_t ranks, place;
	bool root;
};

// A block of which n are sent, or, in place, n - 1. Where both are whole it is the one that has
// whole elements of 4 bytes, or the former; that is a doubt but for reductions, which have numbers.
static uint64_t block_of_each(struct otf2_archive *archive,
			      const struct otf2_events_operation *operation,
			      const struct otf2_sizes *sizes)
{
	const uint64_t n = sizes->ranks, block = sizes->sent / n,
		       in_place = n > 1 ? sizes->sent / (n - 1) : block;
	const bool small = block % 4 != 0 && in_place % 4 == 0;

	if (archive->never_in_place || n == 1 || sizes->sent == 0 ||
	    in_place * (n - 1) != sizes->sent)
		return block;
	if (block * n != sizes->sent)
		return in_place;
	archive->events->in_place += !(small && operation->collective == COLLECTIVE_ALLREDUCE);
	return small ? in_place : block;
}

// All that is sent in parts that differ by a byte at most: the archive does not say who gets how
// much.
static enum tr_status even_counts(struct otf2_archive *archive, const struct otf2_sizes *sizes,
				  struct event *event)
{
	uint64_t *counts = reallocarray(NULL, sizes->ranks, sizeof(*counts));
	enum tr_status status;

	if (!counts)
		return tr_no_memory(archive->err, "counts");
	for (uint32_t i = 0; i < sizes->ranks; i++)
		counts[i] = sizes->sent / sizes->ranks + (i < sizes->sent % sizes->ranks);
	status = events_add_counts(archive->events, counts, sizes->ranks, &event->counts,
				   archive->err);
	free(counts);
	return status;
}

static uint64_t block_of_scan(const struct otf2_events_operation *operation,
			      const struct otf2_sizes *sizes)
{
	const uint64_t n = sizes->ranks, p = sizes->place;
	const bool whole = operation->share == SHARE_SCAN &&
			   sizes->sent * (p + 1) == sizes->received * (n - p);

	if (whole)
		return sizes->received / (p + 1);
	return p ? sizes->received / p : n > 1 ? sizes->sent / (n - 1) : 0;
}

static enum tr_status take_sizes(struct otf2_archive *archive,
				 const struct otf2_events_operation *operation,
				 const struct otf2_sizes *sizes, struct event *event)
{
	const uint64_t others = sizes->ranks > 1 ? sizes->ranks - 1 : 1;

	event->bytes = sizes->sent;
	switch (operation->share) {
	case SHARE_NONE: event->bytes = 0; break;
	case SHARE_TO_ROOT:
		if (sizes->root && sizes->sent == 0)
			event->bytes = sizes->received / others;
		break;
	case SHARE_FROM_ROOT:
		event->bytes = sizes->received ? sizes->received : sizes->sent / others;
		break;
	case SHARE_OF_ROOT:
		event->bytes = sizes->received;
		if (sizes->root)
			return events_add_counts(archive->events, &sizes->sent, 1, &event->counts,
						 archive->err);
		break;
	case SHARE_EACH: event->bytes = block_of_each(archive, operation, sizes); break;
	case SHARE_BLOCKS:
		event->bytes = block_of_each(archive, operation, sizes) * sizes->ranks;
		break;
	case SHARE_COUNTS:
		event->bytes = sizes->sent / sizes->ranks;
		if (sizes->sent % sizes->ranks != 0)
			return even_counts(archive, sizes, event);
		break;
	case SHARE_SCAN:
	case SHARE_EXSCAN: event->bytes = block_of_scan(operation, sizes); break;
	case SHARE_ALL: break;
	}
	return TR_OK;
}

// The event of a collective operation, but for its times and communicator; of handles and windows
// only a call.
static struct event collective_event(struct otf2_archive *archive, OTF2_CollectiveOp code,
				     OTF2_CommRef communicator, uint32_t root, uint64_t sent,
				     uint64_t received)
{
	uint32_t number = tr_id_get(&archive->now->own, communicator);
	const struct otf2_events_operation *operation = NULL;
	struct otf2_sizes sizes = {.sent = sent, .received = received};
	struct event event = {.kind = EVENT_CALL};

	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations) && !operation; i++)
		if (operations[i].code == code)
			operation = &operations[i];
	archive->events->unknown_members += operation && number == UINT32_MAX; // between two groups
	archive->events->unsaid += !operation &&
				   code > OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE;
	if (!operation || number == UINT32_MAX)
		return event;
	event.kind = EVENT_COLLECTIVE;
	event.collective = (uint8_t)operation->collective;
	event.peer = root < OTF2_COLLECTIVE_ROOT_THIS_GROUP ? root : EVENT_NOBODY;
	event.communicator = number;
	(void)events_members(archive->events, archive->now->rank, number, &sizes.ranks);
	sizes.place = events_place(archive->events, archive->now->rank, number);
	sizes.root = sizes.place == root;
	if (take_sizes(archive, operation, &sizes, &event) != TR_OK)
		archive->failed = true;
	return event;
}

static OTF2_CallbackCode on_collective(OF_EVENT, OTF2_CollectiveOp code, OTF2_CommRef communicator,
				       uint32_t root, uint64_t sent, uint64_t received)
{
	struct otf2_archive *archive = context;
	struct event event = collective_event(archive, code, communicator, root, sent, received);

	UNUSED_OF_EVENT;
	return otf2_events_put(archive, &event, time,
			       event.kind == EVENT_CALL ? OTF2_UNDEFINED_COMM : communicator, 0);
}

// One that did not block is known when it ends, in the place where it began.
static OTF2_CallbackCode on_collective_end(OF_EVENT, OTF2_CollectiveOp code,
					   OTF2_CommRef communicator, uint32_t root, uint64_t sent,
					   uint64_t received, uint64_t request)
{
	struct otf2_archive *archive = context;
	struct event_rank *own = &archive->events->by_rank[archive->now->rank];
	const struct event event = collective_event(archive, code, communicator, root, sent,
						    received);
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
	begun->counts = event.counts;
	return OTF2_CALLBACK_SUCCESS;
}

// ---- between windows of memory: left out

static OTF2_CallbackCode count_one_sided(struct otf2_archive *archive, uint64_t bytes)
{
	archive->events->one_sided++;
	archive->events->one_sided_bytes += bytes;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_rma(OF_EVENT, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes,
				uint64_t id)
{
	UNUSED_OF_EVENT;
	(void)time, (void)window, (void)remote, (void)id;
	return count_one_sided(context, bytes);
}

static OTF2_CallbackCode on_rma_atomic(OF_EVENT, OTF2_RmaWinRef window, uint32_t remote,
				       OTF2_RmaAtomicType type, uint64_t sent, uint64_t received,
				       uint64_t id)
{
	UNUSED_OF_EVENT;
	(void)time, (void)window, (void)remote, (void)type, (void)id;
	return count_one_sided(context, sent + received);
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
	OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks,
									 on_collective_end);
	OTF2_EvtReaderCallbacks_SetRmaPutCallback(callbacks, on_rma);
	OTF2_EvtReaderCallbacks_SetRmaGetCallback(callbacks, on_rma);
	OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(callbacks, on_rma_atomic);
}
