// SPDX-License-Identifier: GPL-3.0-or-later
// What the recorder writes of one rank of an MPI program: a file of slots that only grows, readable
// at any moment and after the program was killed. man/flit-mpi.5 describes it byte by byte.
//
// The file begins with REC_HEADER_BYTES of text (lines of a word and its value, then zeros); slots
// follow, little-endian, in the order in which operations were begun, which is the order that MPI
// matches messages in. A slot whose kind is REC_EMPTY was not written (its thread was killed first,
// or the file was cut there) and is skipped. Some slots have data slots behind them.
#ifndef MPI_RANK_RECORD_H
#define MPI_RANK_RECORD_H

#include <stdint.h>

#define REC_MAGIC "flitline MPI record 1\n"

enum {
	REC_HEADER_BYTES = 4096,
	REC_SLOT_BYTES = 64,
	REC_DATA_U64 = 7,  // numbers in one data slot
	REC_DATA_I32 = 14, // the same of half the size
};

enum rec_kind {
	REC_EMPTY = 0,
	REC_DATA = 1,	      // belongs to the slot before it
	REC_CLOCK = 2,	      // what this rank's clock said and rank 0's: see below
	REC_COMMUNICATOR = 3, // its members: see below
	REC_SEND = 16,
	REC_RECV,
	REC_ISEND, // also begun by MPI_Start
	REC_IRECV,
	REC_WAIT, // any call that ended operations; they name its slot
	REC_BARRIER = 32,
	REC_BCAST,
	REC_REDUCE,
	REC_ALLREDUCE,
	REC_REDUCE_SCATTER,
	REC_SCAN,
	REC_EXSCAN,
	REC_GATHER,
	REC_ALLGATHER,
	REC_SCATTER,
	REC_ALLTOALL,
	REC_ALLTOALLV, // bytes sent to each rank of the communicator as data
};

enum rec_state {
	REC_RETURNED = 1, // the call has returned
	REC_DONE = 2,	  // the operation has ended; peer, tag and sizes of a receive are known
	REC_FAILED = 4,	  // the library reported an error, or the operation was cancelled
	REC_JOINED = 8,	  // the next slot is of the same call (MPI_Sendrecv)
	REC_NONBLOCKING = 16,
	REC_SYNCHRONOUS = 32, // MPI_Ssend and its like
};

enum { REC_PEER_NONE = -1, REC_PEER_ANY = -2 };

#define REC_TAG_NEIGHBOUR INT32_MIN // of the messages of a neighbourhood's collective operation

// Bytes 0 to 63 of a slot. Times are CLOCK_REALTIME of the host, in ns since the Unix epoch; 0: not
// yet.
struct rec_slot {
	uint8_t kind;	       // enum rec_kind, written last
	uint8_t state;	       // enum rec_state
	uint16_t thread;       // of this rank, numbered as they first called MPI
	uint32_t communicator; // equal on all its ranks; 0: MPI_COMM_WORLD
	int64_t begin_ns;
	int64_t return_ns;
	uint64_t
		ended_by; // number of the slot whose call ended it, counted from 0; 0: its own call
	uint64_t sent_bytes; // what this rank gives; of a root's broadcast the message
	uint64_t received_bytes;
	int32_t peer; // rank in the communicator: destination, source or root; else enum above
	int32_t tag;
	uint32_t other_ns; // spent in calls that left no slot (MPI_Test in vain, probes) since this
			   // thread's slot before
	uint32_t data;	   // data slots that follow
};

// A REC_CLOCK slot says: at begin_ns by this clock rank 0's was begin_ns + offset (ended_by, two's
// complement); the exchange that showed it took sent_bytes ns there and back, so that the offset is
// off by at most half of that; received_bytes (two's complement) is the offset by other exchanges
// less this one. tag 0: in MPI_Init; 1: in MPI_Finalize. sent_bytes 0: both use the same clock.

// A REC_COMMUNICATOR slot has the ranks of its members in MPI_COMM_WORLD as data, sent_bytes of
// them (-1: a process outside it). Of a communicator between two groups those of this rank's group
// are first, received_bytes of them, and peers are ranks of the other group; else received_bytes is
// 0. tag counts the communicators of the same members, in the order in which all of them made them.

_Static_assert(sizeof(struct rec_slot) == REC_SLOT_BYTES, "the format has 64 bytes a slot");

#endif
