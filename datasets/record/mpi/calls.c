// SPDX-License-Identifier: GPL-3.0-or-later
// The point-to-point calls of MPI, recorded through the profiling interface (MPI 4.0, chapter 15): each calls the library's own by its
// PMPI name. A preloaded library of these needs no change to the program.
//
// Not recorded: partitioned communication, one-sided communication, the calls of MPI 4 whose counts have 64 bits (MPI_Send_c), and
// calls from Fortran, where the library has those call its own. What is recorded costs an operation about a quarter of a microsecond
// and 64 bytes of memory.
#include <stdlib.h>

#include "recorder.h"

enum { FEW = 64 };

int MPI_Init(int *argc, char ***argv)
{
	int result = PMPI_Init(argc, argv);

	if (result == MPI_SUCCESS)
		recorder_begin(false);
	return result;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	int result = PMPI_Init_thread(argc, argv, required, provided);

	if (result == MPI_SUCCESS)
		recorder_begin(*provided == MPI_THREAD_MULTIPLE);
	return result;
}

int MPI_Finalize(void)
{
	recorder_end();
	return PMPI_Finalize();
}

int MPI_Abort(MPI_Comm comm, int code)
{
	recorder_end();
	return PMPI_Abort(comm, code);
}

#define SEND(Name, word) \
	int MPI_##Name(const void *data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) \
	{ \
		struct operation op = recorder_send(word, count, type, peer, tag, comm); \
		int result = PMPI_##Name(data, count, type, peer, tag, comm); \
\
		recorder_put(&op); \
		return result; \
	}

SEND(Send, "send")
SEND(Bsend, "send")
SEND(Ssend, "send")
SEND(Rsend, "send")

#define ISEND(Name, persistent) \
	int MPI_##Name(const void *data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request *request) \
	{ \
		struct operation op = recorder_send("isend", count, type, peer, tag, comm); \
		int result = PMPI_##Name(data, count, type, peer, tag, comm, request); \
\
		recorder_pending(*request, &op, false, persistent); \
		return result; \
	}

ISEND(Isend, false)
ISEND(Ibsend, false)
ISEND(Issend, false)
ISEND(Irsend, false)
ISEND(Send_init, true)
ISEND(Bsend_init, true)
ISEND(Ssend_init, true)
ISEND(Rsend_init, true)

#define IRECV(Name, persistent) \
	int MPI_##Name(void *data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request *request) \
	{ \
		struct operation op = recorder_recv("irecv", comm); \
		int result = PMPI_##Name(data, count, type, peer, tag, comm, request); \
\
		recorder_pending(*request, &op, true, persistent); \
		return result; \
	}

IRECV(Irecv, false)
IRECV(Recv_init, true)

int MPI_Recv(void *data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Status *status)
{
	struct operation op = recorder_recv("recv", comm);
	MPI_Status own;
	int result;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	result = PMPI_Recv(data, count, type, peer, tag, comm, status);
	recorder_put_recv(&op, status);
	return result;
}

int MPI_Sendrecv(const void *out, int out_count, MPI_Datatype out_type, int to, int out_tag, void *in, int in_count,
		 MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status)
{
	struct operation send = recorder_send("send", out_count, out_type, to, out_tag, comm),
			 recv = recorder_recv("recv", comm);
	MPI_Status own;
	int result;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	result = PMPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm, status);
	recorder_put(&send);
	recorder_put_recv(&recv, status);
	return result;
}

int MPI_Sendrecv_replace(void *data, int count, MPI_Datatype type, int to, int out_tag, int from, int in_tag, MPI_Comm comm,
			 MPI_Status *status)
{
	struct operation send = recorder_send("send", count, type, to, out_tag, comm), recv = recorder_recv("recv", comm);
	MPI_Status own;
	int result;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	result = PMPI_Sendrecv_replace(data, count, type, to, out_tag, from, in_tag, comm, status);
	recorder_put(&send);
	recorder_put_recv(&recv, status);
	return result;
}

int MPI_Mprobe(int peer, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
	int result = PMPI_Mprobe(peer, tag, comm, message, status);

	recorder_probed(*message, comm);
	return result;
}

int MPI_Improbe(int peer, int tag, MPI_Comm comm, int *found, MPI_Message *message, MPI_Status *status)
{
	int result = PMPI_Improbe(peer, tag, comm, found, message, status);

	if (*found)
		recorder_probed(*message, comm);
	return result;
}

int MPI_Mrecv(void *data, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status)
{
	struct operation op = recorder_probed_take(*message, "recv");
	MPI_Status own;
	int result;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	result = PMPI_Mrecv(data, count, type, message, status);
	recorder_put_recv(&op, status);
	return result;
}

int MPI_Imrecv(void *data, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request)
{
	struct operation op = recorder_probed_take(*message, "irecv");
	int result = PMPI_Imrecv(data, count, type, message, request);

	recorder_pending(*request, &op, true, false);
	return result;
}

int MPI_Start(MPI_Request *request)
{
	recorder_started(*request);
	return PMPI_Start(request);
}

int MPI_Startall(int count, MPI_Request *requests)
{
	for (int i = 0; i < count; i++)
		recorder_started(requests[i]);
	return PMPI_Startall(count, requests);
}

int MPI_Request_free(MPI_Request *request)
{
	recorder_freed(*request);
	return PMPI_Request_free(request);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
	MPI_Request before = *request;
	MPI_Status own;
	int result;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	result = PMPI_Wait(request, status);
	recorder_ended(before, status);
	return result;
}

int MPI_Test(MPI_Request *request, int *done, MPI_Status *status)
{
	MPI_Request before = *request;
	MPI_Status own;
	int result;

	if (status == MPI_STATUS_IGNORE)
		status = &own;
	result = PMPI_Test(request, done, status);
	if (*done)
		recorder_ended(before, status);
	return result;
}

// What the calls on many requests need beside them: the requests as they were, statuses where the program wants none, indices.
struct many {
	MPI_Request few[FEW], *before;
	MPI_Status few_statuses[FEW], *statuses;
	void *memory;
};

// Returns false if there is no memory: the call goes unrecorded.
static bool many_open(struct many *m, int count, const MPI_Request *requests, MPI_Status *statuses)
{
	size_t n = count > 0 ? (size_t)count : 0;

	m->before = m->few;
	m->statuses = m->few_statuses;
	m->memory = NULL;
	if (n > FEW) {
		m->memory = malloc(n * (sizeof(*m->before) + sizeof(*m->statuses)));
		if (!m->memory)
			return false;
		m->statuses = m->memory;
		m->before = (MPI_Request *)(m->statuses + n);
	}
	for (size_t i = 0; i < n; i++)
		m->before[i] = requests[i];
	if (statuses != MPI_STATUSES_IGNORE)
		m->statuses = statuses;
	return true;
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
	struct many m;
	int result;

	if (!many_open(&m, count, requests, statuses))
		return PMPI_Waitall(count, requests, statuses);
	result = PMPI_Waitall(count, requests, m.statuses);
	for (int i = 0; i < count; i++)
		recorder_ended(m.before[i], &m.statuses[i]);
	free(m.memory);
	return result;
}

int MPI_Testall(int count, MPI_Request *requests, int *done, MPI_Status *statuses)
{
	struct many m;
	int result;

	if (!many_open(&m, count, requests, statuses))
		return PMPI_Testall(count, requests, done, statuses);
	result = PMPI_Testall(count, requests, done, m.statuses);
	for (int i = 0; *done && i < count; i++)
		recorder_ended(m.before[i], &m.statuses[i]);
	free(m.memory);
	return result;
}

int MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status)
{
	struct many m;
	MPI_Status own;
	int result;

	if (!many_open(&m, count, requests, MPI_STATUSES_IGNORE))
		return PMPI_Waitany(count, requests, index, status);
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	result = PMPI_Waitany(count, requests, index, status);
	if (*index != MPI_UNDEFINED)
		recorder_ended(m.before[*index], status);
	free(m.memory);
	return result;
}

int MPI_Testany(int count, MPI_Request *requests, int *index, int *done, MPI_Status *status)
{
	struct many m;
	MPI_Status own;
	int result;

	if (!many_open(&m, count, requests, MPI_STATUSES_IGNORE))
		return PMPI_Testany(count, requests, index, done, status);
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	result = PMPI_Testany(count, requests, index, done, status);
	if (*done && *index != MPI_UNDEFINED)
		recorder_ended(m.before[*index], status);
	free(m.memory);
	return result;
}

typedef int some_call(int, MPI_Request *, int *, int *, MPI_Status *);

static int some(some_call *call, int count, MPI_Request *requests, int *ended, int *indices, MPI_Status *statuses)
{
	struct many m;
	int result;

	if (!many_open(&m, count, requests, statuses))
		return call(count, requests, ended, indices, statuses);
	result = call(count, requests, ended, indices, m.statuses);
	for (int i = 0; *ended != MPI_UNDEFINED && i < *ended; i++)
		recorder_ended(m.before[indices[i]], &m.statuses[i]);
	free(m.memory);
	return result;
}

int MPI_Waitsome(int count, MPI_Request *requests, int *ended, int *indices, MPI_Status *statuses)
{
	return some(PMPI_Waitsome, count, requests, ended, indices, statuses);
}

int MPI_Testsome(int count, MPI_Request *requests, int *ended, int *indices, MPI_Status *statuses)
{
	return some(PMPI_Testsome, count, requests, ended, indices, statuses);
}
