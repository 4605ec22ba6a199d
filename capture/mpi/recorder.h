// SPDX-License-Identifier: GPL-3.0-or-later
// The recorder of one rank: calls of MPI as they begin and return, and the operations that they
// begin and end. calls.c and collectives.c wrap the library's functions and report to it.
//
// A preloaded library is passed no state, so its state is global to the process. Calls may come
// from any thread.
#ifndef MPI_RECORDER_H
#define MPI_RECORDER_H

#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rank_record.h"

// Finds the library's own function by its PMPI name when the recorder is loaded: real_Name. So the
// recorder needs no symbol of the library: it can be preloaded into programs without MPI (a
// launcher, a shell), and takes whichever library of its kind there is.
#define REAL(Name) \
	static __typeof__(PMPI_##Name) *real_##Name; \
	static __attribute__((constructor)) void find_##Name(void) \
	{ \
		*(void **)&real_##Name = dlsym(RTLD_NEXT, "PMPI_" #Name); \
	}

// Begins the definition of a function under both of its names. A library's Fortran functions call
// either: Open MPI's PMPI_Send, MPICH's MPI_Send.
#define CALL(Name, parameters) \
	REAL(Name) \
	__attribute__((visibility("default"))) int MPI_##Name parameters; \
	__attribute__((visibility("default"), alias("MPI_" #Name))) int PMPI_##Name parameters; \
	int MPI_##Name parameters

// Handles that are addresses of Open MPI's variables, which a program without MPI lacks.
#ifdef OPEN_MPI
#pragma weak ompi_mpi_comm_world
#pragma weak ompi_mpi_comm_null
#pragma weak ompi_request_null
#pragma weak ompi_message_null
#pragma weak ompi_message_no_proc
#pragma weak ompi_mpi_byte
#endif

// A communicator as its operations see it.
struct members {
	uint32_t number; // equal on all its ranks; 0 is MPI_COMM_WORLD
	uint32_t nth;	 // communicator of the same members
	bool inter;	 // between two groups
	int count;	 // whom its operations may name: the other group's, between two
	int rank;	 // of this process in its own group
};

// ---- a run

// After MPI_Init: starts recording into FILE.RANK if the environment variable FLIT_MPI_RECORD is
// FILE.
void recorder_start(void);

// Before MPI_Finalize.
void recorder_stop(void);

// ns since 1970.
int64_t recorder_now(void);

// ---- a call

struct call {
	int64_t begin_ns, return_ns;
	bool recorded; // the recorder is on, and this call was not made by another recorded one
	bool failed;
};

// Right before the library's function is called: begins the call at this time.
struct call call_begin(void);

// Right after the library's function returned result.
void call_return(struct call *call, int result);

// Counts its time as spent in calls that leave no slot.
void call_unrecorded(const struct call *call);

// ---- an operation: one slot, or several in a row

struct operation {
	uint64_t number;
	unsigned slots; // 0: it is not recorded
};

// A send, a receive, or a collective operation that begins with the call, with room for some
// numbers (operation_set) behind its slot. state: REC_NONBLOCKING where a request will end it.
// root: negative: none. A send to or a receive from MPI_PROC_NULL is not recorded.
struct operation operation_send(const struct call *call, int state, int64_t bytes, int peer,
				int tag, MPI_Comm comm);
struct operation operation_recv(const struct call *call, int state, int peer, int tag,
				MPI_Comm comm);
struct operation operation_collective(const struct call *call, enum rec_kind kind, int state,
				      int root, MPI_Comm comm, unsigned numbers);
void operation_bytes(struct operation op, int64_t sent, int64_t received);
void operation_set(struct operation op, unsigned index, uint64_t number);

// A send and a receive of one call, in this order, either of which may be to nobody.
struct operation operation_sendrecv(const struct call *call, int state, int64_t bytes, int to,
				    int out_tag, int from, int in_tag, MPI_Comm comm);

// Sends to and receives from the neighbours in comm's topology, which carry the tag
// REC_TAG_NEIGHBOUR: the library matches them by where they stand among the neighbours, as it
// matches messages of one tag.
struct neighbours {
	unsigned out, in;
	int64_t *bytes; // of each message; allocated
	int *rank; // in comm or MPI_PROC_NULL; first those that this process sends to; in the same
		   // memory
};

// Without those that are MPI_PROC_NULL; frees near's arrays.
struct operation operation_neighbours(const struct call *call, int state, struct neighbours *near,
				      MPI_Comm comm);

// The persistent operation whose slots begin at number begins again.
struct operation operation_again(const struct call *call, uint64_t number, unsigned slots);

// Makes it visible to readers of the file; an operation that MPI_Start will begin is not.
void operation_publish(struct operation op);

// The call has returned, and with it a blocking operation has ended; status tells what a receive
// got (NULL: no receive, or its size was known).
void operation_returned(struct operation op, const struct call *call);
void operation_ended(struct operation op, const struct call *call, const MPI_Status *status);

// A call that waits for operations: ends those of the requests that it is given.
struct operation operation_wait(const struct call *call);
void operation_finish(struct operation op, uint64_t ended_by, const MPI_Status *status);

// ---- of requests.c: operations that a request or a matched message will end

// Of several operations with the same request, as a library gives to all sends that are complete at
// once, the first ends first. A persistent one stays, and begins again at each start.
void request_add(MPI_Request request, struct operation op, const struct call *call,
		 bool persistent);
void request_start(MPI_Request request, const struct call *call);
void request_started(MPI_Request request, const struct call *call);
void request_free(MPI_Request request);

// Ends the operation of a request as it was before the call that waited.
void request_end(MPI_Request before, uint64_t ended_by, const MPI_Status *status);

// Whether an operation of this request is under way.
bool request_active(MPI_Request request);

// A receive whose message a matched probe found, until the call that receives it takes it.
void message_add(MPI_Message message, struct operation op);
struct operation message_take(MPI_Message message);

// A communicator that a request is making, the nth of its members; *made is valid when the request
// has ended.
void request_communicator(MPI_Request request, MPI_Comm *made, uint32_t nth);

// ---- of members.c

// After MPI_Init: finds the world's size and this process's rank in it.
void communicators_start(void);

// The members of a communicator. NULL: no memory.
const struct members *members_of(MPI_Comm comm);

// Numbers a new communicator: to be called on all its members in the order in which they make those
// that have the same members.
void communicator_new(MPI_Comm comm);

// The same of a copy that a request is making: how many of its members there were, and when it is
// made.
uint32_t communicator_next(MPI_Comm comm);
void communicator_numbered(MPI_Comm comm, uint32_t nth);

// Bytes of count elements.
int64_t type_bytes(int64_t count, MPI_Datatype type);

// ---- of clock.c

// Hands out the number of the run and finds out which clocks there are; compares them. start: in
// MPI_Init.
uint64_t clock_meet(void);
void clock_compare(bool start);

#endif
