// SPDX-License-Identifier: GPL-3.0-or-later
// One rank's file of the recorder of MPI (man/flit-mpi.5), in memory: what it says of the rank, and
// its slots.
#ifndef FOREIGN_MPI_RECORD_H
#define FOREIGN_MPI_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "file/source.h"
#include "mpi/rank_record.h"
#include "value/status.h"

// What a comparison of the rank's clock with rank 0's showed.
struct mpi_record_clock {
	bool known;
	int64_t at_ns;	     // by the rank's clock
	int64_t offset_ns;   // rank 0's less the rank's
	uint64_t round_ns;   // of the exchange: the offset is off by at most half of it; 0: both
			     // ranks use one clock
	int64_t residual_ns; // the offset by other exchanges less this one
};

// Zero is a valid empty one.
struct mpi_record {
	char *name; // of the file, for messages
	uint8_t *bytes;
	uint64_t slots;
	uint32_t rank, ranks;
	uint64_t run; // the same in the files of one run
	char host[256];
	char library[256];
	uint64_t operations;
	bool ended;			  // the process wrote its end
	bool finalized;			  // by MPI_Finalize
	uint64_t lost;			  // calls, for want of room
	struct mpi_record_clock clock[2]; // in MPI_Init, in MPI_Finalize
};

// Whether the file begins as a record does; its bytes stay unread.
bool mpi_record_claims(struct tr_source *source);

// Reads the whole file. Memory: the file's size, until mpi_record_clear, which is to be called in
// any case. TR_ERROR: it is not a record, or it is damaged; err names it and the byte.
enum tr_status mpi_record_read(struct mpi_record *out, struct tr_source *source,
			       struct tr_error *err);

// Frees what it holds; it is empty then.
void mpi_record_clear(struct mpi_record *record);

// Slot number of slots, in the host's byte order.
struct rec_slot mpi_record_slot(const struct mpi_record *record, uint64_t number);

// The data behind a slot, index of those that its field data says fit.
uint64_t mpi_record_u64(const struct mpi_record *record, uint64_t number, uint64_t index);
int32_t mpi_record_i32(const struct mpi_record *record, uint64_t number, uint64_t index);

// Fails with the slot's place in the file.
enum tr_status mpi_record_fail(const struct mpi_record *record, uint64_t number, const char *what,
			       struct tr_error *err);

// A time of the rank by rank 0's clock.
int64_t mpi_record_time(const struct mpi_record *record, int64_t time_ns);

#endif
