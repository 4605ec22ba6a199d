// SPDX-License-Identifier: GPL-3.0-or-later
// What one MPI process has sent, received and taken part in: operations with their times, kept in memory while the program runs and
// written as one text file per rank. `messages` joins the files of all ranks into a trace stream.
//
// The state is that of the process, since a preloaded library is handed none: one program, one recorder. Calls from several threads
// are safe once recorder_begin() was told of them; without threads nothing is locked.
#ifndef MPI_RECORDER_H
#define MPI_RECORDER_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

// A communicator as its operations see it: whom its ranks mean. Kept to the end, since a receive may outlive its communicator.
struct members {
	uint32_t number; // equal on all its ranks; 0 is MPI_COMM_WORLD
	int count;
	int32_t world[]; // by rank in the communicator (in the remote group, between groups)
};

// One operation. Ranks are those of MPI_COMM_WORLD, -1 for a process outside it.
struct operation {
	uint64_t number;  // of this rank's operations in the order in which the program began them
	int64_t begin_ns; // CLOCK_REALTIME: the clock of captured packets
	int64_t end_ns;	  // when the call, or the wait that completed it, returned
	uint64_t bytes;	  // of the message; of a collective operation, what this rank gives
	const char *name; // the word of flitcut(1): send, isend, recv, irecv, bcast ...
	int32_t src, dst; // of a collective operation: this rank, and the root or this rank
	int32_t tag;
	const struct members *members; // of the communicator
};

// Starts recording into FILE.RANK if the environment variable FLIT_MPI_RECORD is FILE; else operations are not kept. threads: calls
// may come from several threads at once.
void recorder_begin(bool threads);

// Writes the file, once; later operations are ignored. Also happens when the process exits without MPI_Finalize.
void recorder_end(void);

int64_t recorder_now(void);

// The members of a communicator. NULL: no memory.
const struct members *recorder_members(MPI_Comm comm);

// Numbers a new communicator: to be called on all its members in the order in which they make those that have the same members.
void recorder_new(MPI_Comm comm);

// An operation that begins now. peer is a rank in comm; it is the destination of a send and the source of a receive.
struct operation recorder_send(const char *name, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm);
struct operation recorder_recv(const char *name, MPI_Comm comm);
struct operation recorder_collective(const char *name, int64_t bytes, int root, MPI_Comm comm);

int64_t recorder_size(int64_t count, MPI_Datatype type);

// Keeps an operation that has ended. A receive takes source, tag and size from its status; one that was cancelled, or from nobody, is
// dropped.
void recorder_put(struct operation *op);
void recorder_put_recv(struct operation *op, MPI_Status *status);

// An operation that a request will end. Of several operations with the same request, as a library gives to all sends that are
// complete at once, the first ends first. A persistent one stays, and begins again at each start.
void recorder_pending(MPI_Request request, const struct operation *op, bool receive, bool persistent);
void recorder_started(MPI_Request request);
void recorder_ended(MPI_Request request, MPI_Status *status);
void recorder_freed(MPI_Request request);

// A receive that a matched probe began: it has its message, and is taken up again by the call that receives it.
void recorder_probed(MPI_Message message, MPI_Comm comm);
struct operation recorder_probed_take(MPI_Message message, const char *name);

#endif
