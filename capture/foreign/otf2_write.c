// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/otf2_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/foreign_folder.h"
#include "foreign/match.h"
#include "foreign/otf2_archive.h"
#include "foreign/whole_messages.h"
#include "value/order.h"

#define CHUNK_BYTES ((uint64_t)1 << 20)

static const OTF2_CollectiveOp operations[COLLECTIVES] = {
	OTF2_COLLECTIVE_OP_BARRIER,	   OTF2_COLLECTIVE_OP_BCAST,
	OTF2_COLLECTIVE_OP_REDUCE,	   OTF2_COLLECTIVE_OP_ALLREDUCE,
	OTF2_COLLECTIVE_OP_GATHER,	   OTF2_COLLECTIVE_OP_ALLGATHER,
	OTF2_COLLECTIVE_OP_SCATTER,	   OTF2_COLLECTIVE_OP_ALLTOALL,
	OTF2_COLLECTIVE_OP_REDUCE_SCATTER, OTF2_COLLECTIVE_OP_SCAN,
	OTF2_COLLECTIVE_OP_EXSCAN,
};

static OTF2_CollectiveOp operation_of(const struct event *event)
{
	if (event->counts > 0)
		return event->collective == COLLECTIVE_SCATTER ? OTF2_COLLECTIVE_OP_SCATTERV
							       : OTF2_COLLECTIVE_OP_ALLTOALLV;
	return operations[event->collective];
}

static OTF2_FlushType otf2_flush(void *context, OTF2_FileType type, OTF2_LocationRef location,
				 void *caller, bool final)
{
	(void)context, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

// ---- events

// Time never goes back within a rank, in the archive.
static OTF2_TimeStamp at(struct otf2_output *archive, int64_t ticks)
{
	if (ticks > archive->last_ticks)
		archive->last_ticks = ticks;
	if (archive->last_ticks > archive->end_ticks)
		archive->end_ticks = archive->last_ticks;
	return (OTF2_TimeStamp)archive->last_ticks + OTF2_TIME_FIRST;
}

static uint32_t region_of(const struct event *event)
{
	static const uint8_t of[EVENT_KINDS] = {
		[EVENT_CALL] = OTF2_CALL_CALL,
		[EVENT_SEND] = OTF2_CALL_SEND,
		[EVENT_RECV] = OTF2_CALL_RECV,
		[EVENT_ISEND] = OTF2_CALL_ISEND,
		[EVENT_IRECV] = OTF2_CALL_IRECV,
		[EVENT_WAIT] = OTF2_CALL_WAIT,
		[EVENT_COLLECTIVE] = OTF2_CALL_COLLECTIVE,
		[EVENT_MESSAGE] = OTF2_CALL_SEND,
	};

	return of[event->kind] +
	       (event->kind == EVENT_COLLECTIVE ? (uint32_t)event->collective : 0u);
}

// The place in the communicator of a rank of the world.
static uint32_t otf2_place_of(const struct otf2_output *archive, const struct event *event,
			      uint32_t world_rank)
{
	uint32_t count;
	const uint32_t *members = events_members(archive->events, archive->rank,
						 event->communicator, &count);

	if (world_rank < count && members[world_rank] == world_rank)
		return world_rank;
	for (uint32_t i = 0; i < count; i++)
		if (members[i] == world_rank)
			return i;
	return OTF2_UNDEFINED_UINT32;
}

static OTF2_CommRef otf2_communicator_of(const struct otf2_output *archive,
					 const struct event *event)
{
	return event_communicator_of(archive->events, archive->rank, event)->id;
}

// As Score-P counts: what is sent counts for each rank that gets it.
static void otf2_put_collective(struct otf2_output *archive, const struct event *event)
{
	const struct event_communicator *own = event_communicator_of(archive->events, archive->rank,
								     event);
	bool root = event->peer == own->place;
	uint64_t sent = event->bytes, received = event->bytes;
	uint32_t ranks;

	(void)events_members(archive->events, archive->rank, event->communicator, &ranks);
	switch (event->collective) {
	case COLLECTIVE_BARRIER: sent = received = 0; break;
	case COLLECTIVE_BCAST: sent = root ? event->bytes * ranks : 0; break;
	case COLLECTIVE_SCATTER:
	case COLLECTIVE_ALLTOALL:
		sent = events_given(archive->events, archive->rank, event);
		received = event->collective == COLLECTIVE_SCATTER ? event->bytes : sent;
		break;
	case COLLECTIVE_REDUCE:
	case COLLECTIVE_GATHER: received = root ? event->bytes * ranks : 0; break;
	case COLLECTIVE_SCAN:
		sent = event->bytes * (ranks - own->place);
		received = event->bytes * (own->place + 1);
		break;
	case COLLECTIVE_EXSCAN:
		sent = event->bytes * (ranks - own->place - 1);
		received = event->bytes * own->place;
		break;
	case COLLECTIVE_REDUCE_SCATTER: break;
	default: sent = received = event->bytes * ranks;
	}
	otf2_check(archive,
		   OTF2_EvtWriter_MpiCollectiveEnd(
			   archive->writer, NULL, at(archive, event->end_ticks),
			   operation_of(event), own->id,
			   event->peer == EVENT_NOBODY ? OTF2_COLLECTIVE_ROOT_NONE : event->peer,
			   sent, received));
	archive->counts[archive->rank]++;
}

// The end of a request: of a receive that got a message, whom it is from.
static void otf2_put_wait(struct otf2_output *archive, const struct event *wait)
{
	const struct event *begun = &archive->events->by_rank[archive->rank].events[wait->link];
	OTF2_TimeStamp time = at(archive, wait->end_ticks);
	uint64_t request = (uint64_t)wait->link + 1;

	if (begun->kind == EVENT_ISEND)
		otf2_check(archive,
			   OTF2_EvtWriter_MpiIsendComplete(archive->writer, NULL, time, request));
	else if (begun->kind == EVENT_IRECV && begun->peer < EVENT_NOBODY)
		otf2_check(archive,
			   OTF2_EvtWriter_MpiIrecv(archive->writer, NULL, time,
						   otf2_place_of(archive, begun, begun->peer),
						   otf2_communicator_of(archive, begun),
						   (uint32_t)begun->tag, begun->bytes, request));
	else
		return;
	archive->counts[archive->rank]++;
}

static void put_record(struct otf2_output *archive, const struct event *event, uint32_t number)
{
	OTF2_EvtWriter *writer = archive->writer;
	OTF2_TimeStamp time = at(archive, event->begin_ticks);
	OTF2_CommRef communicator = 0;
	uint32_t peer = 0, tag = (uint32_t)event->tag;

	if (event_is_send(event) || event_is_recv(event)) {
		communicator = otf2_communicator_of(archive, event);
		peer = event->peer < EVENT_NOBODY ? otf2_place_of(archive, event, event->peer)
						  : OTF2_UNDEFINED_UINT32;
	}
	switch (event->kind) {
	case EVENT_WAIT: otf2_put_wait(archive, event); return;
	case EVENT_COLLECTIVE: otf2_put_collective(archive, event); return;
	case EVENT_SEND:
		otf2_check(archive, OTF2_EvtWriter_MpiSend(writer, NULL, time, peer, communicator,
							   tag, event->bytes));
		break;
	case EVENT_ISEND:
		otf2_check(archive,
			   OTF2_EvtWriter_MpiIsend(writer, NULL, time, peer, communicator, tag,
						   event->bytes, (uint64_t)number + 1));
		break;
	case EVENT_IRECV:
		otf2_check(archive, OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, time,
								   (uint64_t)number + 1));
		break;
	case EVENT_RECV:
		if (peer == OTF2_UNDEFINED_UINT32)
			return;
		otf2_check(archive,
			   OTF2_EvtWriter_MpiRecv(writer, NULL, at(archive, event->end_ticks), peer,
						  communicator, tag, event->bytes));
		break;
	default: return;
	}
	archive->counts[archive->rank]++;
}

static void put_edge(struct otf2_output *archive, bool enters, int64_t ticks, uint32_t region)
{
	if (enters)
		otf2_check(archive,
			   OTF2_EvtWriter_Enter(archive->writer, NULL, at(archive, ticks), region));
	else
		otf2_check(archive,
			   OTF2_EvtWriter_Leave(archive->writer, NULL, at(archive, ticks), region));
	archive->counts[archive->rank]++;
}

// Events of the same times are one call. A request that begins in the call is in the archive before
// the end of one.
static void put_calls(struct otf2_output *archive)
{
	const struct event_rank *own = &archive->events->by_rank[archive->rank];

	for (uint32_t i = 0, end; i < own->count && archive->good; i = end) {
		const struct event *event = &own->events[i];
		uint32_t region = region_of(event);

		end = i + 1;
		if (event->kind == EVENT_MESSAGE)
			continue;
		while (end < own->count && own->events[end].begin_ticks == event->begin_ticks &&
		       own->events[end].end_ticks == event->end_ticks &&
		       own->events[end].kind != EVENT_MESSAGE &&
		       own->events[end].end_ticks > own->events[end].begin_ticks)
			end++;
		put_edge(archive, true, event->begin_ticks, region);
		for (uint32_t j = i; j < end; j++)
			put_record(archive, &own->events[j], j);
		put_edge(archive, false, event->end_ticks, region);
	}
}

// One end of a whole message.
struct otf2_write_end {
	int64_t ticks;
	uint32_t source;
	uint32_t event;
};

static int otf2_in_time(const void *a, const void *b)
{
	const struct otf2_write_end *x = a, *y = b;

	ORDER_BY(x->ticks, y->ticks);
	ORDER_BY(x->source, y->source);
	return ORDER(x->event, y->event);
}

static void otf2_write_put_end(struct otf2_output *archive, const struct otf2_write_end *end,
			       bool sent)
{
	const struct event *event = &archive->events->by_rank[end->source].events[end->event];
	uint32_t region = sent ? OTF2_CALL_SEND : OTF2_CALL_RECV;
	OTF2_TimeStamp time;

	put_edge(archive, true, end->ticks, region);
	time = at(archive, end->ticks);
	if (sent)
		otf2_check(archive, OTF2_EvtWriter_MpiSend(archive->writer, NULL, time, event->peer,
							   0, (uint32_t)event->tag, event->bytes));
	else
		otf2_check(archive, OTF2_EvtWriter_MpiRecv(archive->writer, NULL, time, end->source,
							   0, (uint32_t)event->tag, event->bytes));
	archive->counts[archive->rank]++;
	put_edge(archive, false, end->ticks, region);
}

// Sends and receives of whole messages, merged in order of time; false: out of memory.
static bool put_whole(struct otf2_output *archive)
{
	const struct event_rank *own = &archive->events->by_rank[archive->rank];
	const struct inbox *inbox = &archive->inbox;
	size_t arrivals = inbox->first[archive->rank + 1] - inbox->first[archive->rank];
	struct otf2_write_end *in = reallocarray(NULL, arrivals + 1, sizeof(*in));
	struct otf2_write_end *out = reallocarray(NULL, (size_t)own->count + 1, sizeof(*out));
	size_t sent = 0, i = 0, j = 0;
	bool good = in && out;

	for (uint32_t number = 0; good && whole_next(own, &number);)
		out[sent++] = (struct otf2_write_end){own->events[number - 1].begin_ticks,
						      archive->rank, number - 1};
	for (size_t k = 0; good && k < arrivals; k++) {
		const struct inbox_arrival *arrival =
			&inbox->arrivals[inbox->first[archive->rank] + k];

		in[k] = (struct otf2_write_end){
			archive->events->by_rank[arrival->source].events[arrival->event].end_ticks,
			arrival->source, arrival->event};
	}
	if (good) {
		qsort(in, arrivals, sizeof(*in), otf2_in_time);
		qsort(out, sent, sizeof(*out), otf2_in_time);
	}
	while (good && archive->good && (i < sent || j < arrivals)) {
		bool next_out = j == arrivals || (i < sent && out[i].ticks <= in[j].ticks);

		otf2_write_put_end(archive, next_out ? &out[i++] : &in[j++], next_out);
	}
	free(in);
	free(out);
	return good;
}

static bool put_ranks(struct otf2_output *archive)
{
	otf2_check(archive, OTF2_Archive_OpenEvtFiles(archive->archive));
	for (archive->rank = 0; archive->rank < archive->events->ranks && archive->good;
	     archive->rank++) {
		archive->writer = OTF2_Archive_GetEvtWriter(archive->archive, archive->rank);
		archive->good = archive->writer;
		archive->last_ticks = 0;
		if (!archive->good)
			break;
		put_calls(archive);
		if (!put_whole(archive))
			return false;
		otf2_check(archive, OTF2_Archive_CloseEvtWriter(archive->archive, archive->writer));
	}
	otf2_check(archive, OTF2_Archive_CloseEvtFiles(archive->archive));
	return true;
}

enum tr_status otf2_write(const struct events *events, const char *path, const char *made,
			  struct tr_error *err)
{
	static const OTF2_FlushCallbacks flushing = {.otf2_pre_flush = otf2_flush};
	struct otf2_output archive = {.events = events, .good = true};
	enum tr_status status;
	char opened[40]; // path, which nobody can exchange for another folder
	bool memory;
	int folder;

	status = tr_folder_make(path, &folder, err);
	if (status == TR_ERROR)
		return TR_ERROR;
	if (status == TR_END) {
		(void)close(folder);
		return tr_fail(err, "%s: expected a new folder: %s", path, strerror(EEXIST));
	}
	(void)snprintf(opened, sizeof(opened), "/proc/self/fd/%d", folder);
	memory = inbox_make(&archive.inbox, events);
	archive.counts = calloc(events->ranks, sizeof(*archive.counts));
	memory = memory && archive.counts;
	OTF2_Error_RegisterCallback(otf2_hear, &archive.said);
	if (memory)
		archive.archive = OTF2_Archive_Open(opened, "traces", OTF2_FILEMODE_WRITE,
						    CHUNK_BYTES, CHUNK_BYTES, OTF2_SUBSTRATE_POSIX,
						    OTF2_COMPRESSION_NONE);
	archive.good = archive.archive;
	if (archive.good) {
		otf2_check(&archive,
			   OTF2_Archive_SetFlushCallbacks(archive.archive, &flushing, NULL));
		otf2_check(&archive, OTF2_Archive_SetSerialCollectiveCallbacks(archive.archive));
		otf2_check(&archive,
			   OTF2_Archive_SetCreator(archive.archive, "flitread " FLIT_VERSION));
		otf2_check(&archive, OTF2_Archive_SetDescription(archive.archive, made));
		memory = put_ranks(&archive);
		otf2_put_local_definitions(&archive);
		memory = memory && otf2_put_definitions(&archive);
		otf2_check(&archive, OTF2_Archive_Close(archive.archive));
	}
	OTF2_Error_RegisterCallback(NULL, NULL);
	inbox_clear(&archive.inbox);
	free(archive.counts);
	(void)close(folder);
	if (!memory)
		return tr_no_memory(err, "%s", path);
	return archive.good ? TR_OK
			    : tr_fail(err, "%s: %s", path,
				      *archive.said.text ? archive.said.text : "libotf2 failed");
}
