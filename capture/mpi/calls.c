// SPDX-License-Identifier: GPL-3.0-or-later
// The calls of MPI that begin and end a run, wait for operations, and make communicators.
#include <stdio.h>
#include <stdlib.h>

#include "recorder.h"

enum { FEW = 64 };

// Programs that load their library by dlopen(3) for themselves alone hide it from the recorder.
static void need_library(const void *found)
{
	if (found)
		return;
	fprintf(stderr, "flitmpi: the program loads its MPI library late: preload that, too "
			"(flitmpi --library does)\n");
	abort();
}

CALL(Init, (int *argc, char ***argv))
{
	int result;

	need_library((const void *)(uintptr_t)real_Init);
	result = real_Init(argc, argv);
	if (result == MPI_SUCCESS)
		recorder_start();
	return result;
}

CALL(Init_thread, (int *argc, char ***argv, int required, int *provided))
{
	int result;

	need_library((const void *)(uintptr_t)real_Init_thread);
	result = real_Init_thread(argc, argv, required, provided);
	if (result == MPI_SUCCESS)
		recorder_start();
	return result;
}

CALL(Finalize, (void))
{
	recorder_stop();
	return real_Finalize();
}

// ---- matched probes begin a receive, other probes nothing

CALL(Probe, (int peer, int tag, MPI_Comm comm, MPI_Status *status))
{
	struct call call = call_begin();
	int result = real_Probe(peer, tag, comm, status);

	call_return(&call, result);
	call_unrecorded(&call);
	return result;
}

CALL(Iprobe, (int peer, int tag, MPI_Comm comm, int *found, MPI_Status *status))
{
	struct call call = call_begin();
	int result = real_Iprobe(peer, tag, comm, found, status);

	call_return(&call, result);
	call_unrecorded(&call);
	return result;
}

static void probed(struct call *call, MPI_Message message, const MPI_Status *status, MPI_Comm comm)
{
	struct operation op = operation_recv(call, REC_NONBLOCKING, status->MPI_SOURCE,
					     status->MPI_TAG, comm);

	operation_publish(op);
	operation_returned(op, call);
	message_add(message, op);
}

CALL(Mprobe, (int peer, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status))
{
	struct call call = call_begin();
	MPI_Status own;
	int result;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	result = real_Mprobe(peer, tag, comm, message, status);
	call_return(&call, result);
	if (!call.failed)
		probed(&call, *message, status, comm);
	return result;
}

CALL(Improbe,
     (int peer, int tag, MPI_Comm comm, int *found, MPI_Message *message, MPI_Status *status))
{
	struct call call = call_begin();
	MPI_Status own;
	int result;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	result = real_Improbe(peer, tag, comm, found, message, status);
	call_return(&call, result);
	if (call.failed || !*found)
		call_unrecorded(&call);
	else
		probed(&call, *message, status, comm);
	return result;
}

// ---- requests

CALL(Start, (MPI_Request * request))
{
	struct call call = call_begin();
	int result;

	request_start(*request, &call);
	result = real_Start(request);
	call_return(&call, result);
	request_started(*request, &call);
	return result;
}

CALL(Startall, (int count, MPI_Request *requests))
{
	struct call call = call_begin();
	int result;

	for (int i = 0; i < count; i++)
		request_start(requests[i], &call);
	result = real_Startall(count, requests);
	call_return(&call, result);
	for (int i = 0; i < count; i++)
		request_started(requests[i], &call);
	return result;
}

CALL(Request_free, (MPI_Request * request))
{
	struct call call = call_begin();
	MPI_Request before = *request;
	int result = real_Request_free(request);

	call_return(&call, result);
	if (call.recorded && !call.failed)
		request_free(before);
	return result;
}

// A call on some requests: as they were before it, statuses where the program wants none, and the
// slot that says that it waited. A call that may return in vain has one only when something has
// ended.
struct waiting {
	struct call call;
	struct operation op;
	int count;
	MPI_Request few[FEW], *before;
	MPI_Status few_statuses[FEW], *statuses;
	void *memory;
};

static void waiting_begin(struct waiting *w, int count, const MPI_Request *requests,
			  MPI_Status *statuses, bool blocking)
{
	const size_t n = count > FEW ? (size_t)count : 0;

	w->call = call_begin();
	w->op = (struct operation){0};
	w->count = count;
	w->memory = n ? malloc(n * (sizeof(*w->before) + sizeof(*w->statuses))) : NULL;
	w->statuses = w->memory ? w->memory : w->few_statuses;
	w->before = w->memory ? (MPI_Request *)(w->statuses + n) : w->few;
	if (n && !w->memory) // its operations stay in the file as ones that did not end
		w->count = 0;
	if (statuses)
		w->statuses = statuses;
	for (int i = 0; i < w->count; i++)
		w->before[i] = requests[i];
	if (!w->call.recorded)
		w->count = 0;
	else if (blocking)
		w->op = operation_wait(&w->call);
}

// The statuses to hand to the library; without memory for ours the program's own.
static MPI_Status *waiting_statuses(const struct waiting *w, int count, MPI_Status *own)
{
	return w->count || count <= FEW ? w->statuses : own;
}

// Ends request index, whose status is the given one.
static void waiting_ended(struct waiting *w, int index, const MPI_Status *status)
{
	if (index < 0 || index >= w->count)
		return;
	if (!w->op.slots && request_active(w->before[index]))
		w->op = operation_wait(&w->call);
	if (w->op.slots)
		request_end(w->before[index], w->op.number, status);
}

// Of several requests some may have failed alone.
static bool ended_well(int result, const MPI_Status *status)
{
	return result == MPI_SUCCESS ||
	       (result == MPI_ERR_IN_STATUS && status->MPI_ERROR == MPI_SUCCESS);
}

static int waiting_end(struct waiting *w, int result)
{
	operation_ended(w->op, &w->call, NULL);
	if (!w->op.slots)
		call_unrecorded(&w->call);
	free(w->memory);
	return result;
}

CALL(Wait, (MPI_Request * request, MPI_Status *status))
{
	struct waiting w;
	int result;

	waiting_begin(&w, 1, request, status == MPI_STATUS_IGNORE ? NULL : status, true);
	result = real_Wait(request, w.statuses);
	call_return(&w.call, result);
	if (!w.call.failed)
		waiting_ended(&w, 0, w.statuses);
	return waiting_end(&w, result);
}

CALL(Test, (MPI_Request * request, int *done, MPI_Status *status))
{
	struct waiting w;
	int result;

	waiting_begin(&w, 1, request, status == MPI_STATUS_IGNORE ? NULL : status, false);
	result = real_Test(request, done, w.statuses);
	call_return(&w.call, result);
	if (!w.call.failed && *done)
		waiting_ended(&w, 0, w.statuses);
	return waiting_end(&w, result);
}

CALL(Waitall, (int count, MPI_Request *requests, MPI_Status *statuses))
{
	struct waiting w;
	int result;

	waiting_begin(&w, count, requests, statuses == MPI_STATUSES_IGNORE ? NULL : statuses, true);
	result = real_Waitall(count, requests, waiting_statuses(&w, count, statuses));
	call_return(&w.call, result);
	for (int i = 0; i < w.count; i++)
		if (ended_well(result, &w.statuses[i]))
			waiting_ended(&w, i, &w.statuses[i]);
	return waiting_end(&w, result);
}

CALL(Testall, (int count, MPI_Request *requests, int *done, MPI_Status *statuses))
{
	struct waiting w;
	int result;

	waiting_begin(&w, count, requests, statuses == MPI_STATUSES_IGNORE ? NULL : statuses,
		      false);
	result = real_Testall(count, requests, done, waiting_statuses(&w, count, statuses));
	call_return(&w.call, result);
	for (int i = 0; i < w.count && (result == MPI_ERR_IN_STATUS || (!w.call.failed && *done));
	     i++)
		if (ended_well(result, &w.statuses[i]))
			waiting_ended(&w, i, &w.statuses[i]);
	return waiting_end(&w, result);
}

CALL(Waitany, (int count, MPI_Request *requests, int *index, MPI_Status *status))
{
	struct waiting w;
	MPI_Status own;
	int result;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	waiting_begin(&w, count, requests, NULL, true);
	result = real_Waitany(count, requests, index, status);
	call_return(&w.call, result);
	if (!w.call.failed && *index != MPI_UNDEFINED)
		waiting_ended(&w, *index, status);
	return waiting_end(&w, result);
}

CALL(Testany, (int count, MPI_Request *requests, int *index, int *done, MPI_Status *status))
{
	struct waiting w;
	MPI_Status own;
	int result;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	waiting_begin(&w, count, requests, NULL, false);
	result = real_Testany(count, requests, index, done, status);
	call_return(&w.call, result);
	if (!w.call.failed && *done && *index != MPI_UNDEFINED)
		waiting_ended(&w, *index, status);
	return waiting_end(&w, result);
}

typedef int some_call(int, MPI_Request *, int *, int *, MPI_Status *);

static int some(some_call *call, int count, MPI_Request *requests, int *ended, int *indices,
		MPI_Status *statuses, bool blocking)
{
	struct waiting w;
	int result;

	waiting_begin(&w, count, requests, statuses == MPI_STATUSES_IGNORE ? NULL : statuses,
		      blocking);
	result = call(count, requests, ended, indices, waiting_statuses(&w, count, statuses));
	call_return(&w.call, result);
	for (int i = 0; (!w.call.failed || result == MPI_ERR_IN_STATUS) &&
			*ended != MPI_UNDEFINED && i < *ended;
	     i++)
		if (ended_well(result, &w.statuses[i]))
			waiting_ended(&w, indices[i], &w.statuses[i]);
	return waiting_end(&w, result);
}

CALL(Waitsome, (int count, MPI_Request *requests, int *ended, int *indices, MPI_Status *statuses))
{
	return some(real_Waitsome, count, requests, ended, indices, statuses, true);
}

CALL(Testsome, (int count, MPI_Request *requests, int *ended, int *indices, MPI_Status *statuses))
{
	return some(real_Testsome, count, requests, ended, indices, statuses, false);
}

// ---- new communicators: each is the last parameter of the call that makes it

#define LIST(...) __VA_ARGS__
#define NEW_COMMUNICATOR(Name, parameters, arguments) \
	CALL(Name, (LIST parameters, MPI_Comm * made)) \
	{ \
		struct call call = call_begin(); \
		int result = real_##Name(LIST arguments, made); \
\
		call_return(&call, result); \
		if (call.recorded && result == MPI_SUCCESS) \
			communicator_new(*made); \
		call_unrecorded(&call); \
		return result; \
	}

NEW_COMMUNICATOR(Comm_dup, (MPI_Comm comm), (comm))
NEW_COMMUNICATOR(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info), (comm, info))
NEW_COMMUNICATOR(Comm_create, (MPI_Comm comm, MPI_Group group), (comm, group))
NEW_COMMUNICATOR(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag), (comm, group, tag))
NEW_COMMUNICATOR(Comm_split, (MPI_Comm comm, int color, int key), (comm, color, key))
NEW_COMMUNICATOR(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info),
		 (comm, type, key, info))
NEW_COMMUNICATOR(Cart_create,
		 (MPI_Comm comm, int dimensions, const int *sides, const int *periodic,
		  int reorder),
		 (comm, dimensions, sides, periodic, reorder))
NEW_COMMUNICATOR(Cart_sub, (MPI_Comm comm, const int *kept), (comm, kept))
NEW_COMMUNICATOR(Graph_create,
		 (MPI_Comm comm, int nodes, const int *index, const int *edges, int reorder),
		 (comm, nodes, index, edges, reorder))
NEW_COMMUNICATOR(Dist_graph_create,
		 (MPI_Comm comm, int n, const int *sources, const int *degrees,
		  const int *destinations, const int *weights, MPI_Info info, int reorder),
		 (comm, n, sources, degrees, destinations, weights, info, reorder))
NEW_COMMUNICATOR(Dist_graph_create_adjacent,
		 (MPI_Comm comm, int in, const int *sources, const int *in_weights, int out,
		  const int *destinations, const int *out_weights, MPI_Info info, int reorder),
		 (comm, in, sources, in_weights, out, destinations, out_weights, info, reorder))
NEW_COMMUNICATOR(Intercomm_create,
		 (MPI_Comm local, int leader, MPI_Comm peers, int remote_leader, int tag),
		 (local, leader, peers, remote_leader, tag))
NEW_COMMUNICATOR(Intercomm_merge, (MPI_Comm comm, int high), (comm, high))

CALL(Comm_idup, (MPI_Comm comm, MPI_Comm *made, MPI_Request *request))
{
	struct call call = call_begin();
	const uint32_t nth = call.recorded ? communicator_next(comm) : 0;
	int result = real_Comm_idup(comm, made, request);

	call_return(&call, result);
	if (call.recorded && result == MPI_SUCCESS)
		request_communicator(*request, made, nth);
	call_unrecorded(&call);
	return result;
}
