// SPDX-License-Identifier: GPL-3.0-or-later
// The communicators of all ranks of the recorder's files (man/flit-mpi.5), but MPI_COMM_WORLD.
#ifndef FOREIGN_MPI_COMMUNICATORS_H
#define FOREIGN_MPI_COMMUNICATORS_H

#include <stddef.h>
#include <stdint.h>

#include "foreign/mpi_record.h"
#include "foreign/rank_events.h"

struct mpi_communicator {
	uint32_t number;      // in the files
	uint32_t nth;	      // of the same members
	uint32_t first_group; // members of the first of two groups; 0: there is one group
	uint32_t count;
	uint32_t *members; // ranks of the world; of two groups the one with the lower first rank is
			   // first
	uint32_t own;	   // number of the rank that it was given to last; EVENT_NOBODY: that is no
			   // member, or a member is not of the world
};

// Zero is a valid empty one.
struct mpi_communicators {
	struct mpi_communicator *items;
	size_t count, capacity;
	size_t last; // found
};

// Adds that of a REC_COMMUNICATOR slot, if no other rank's record had it.
enum tr_status mpi_communicators_add(struct mpi_communicators *set, const struct mpi_record *record,
				     uint64_t number, const struct rec_slot *slot,
				     struct tr_error *err);

// In an order in which all ranks have made those of the same members.
void mpi_communicators_sort(struct mpi_communicators *set);

// Gives a rank of events those that it is a member of.
enum tr_status mpi_communicators_give(struct mpi_communicators *set, struct events *events,
				      uint32_t rank, struct tr_error *err);

// That of a number, lent; NULL: there is none.
struct mpi_communicator *mpi_communicators_find(struct mpi_communicators *set, uint32_t number);

// Frees what it holds; it is empty then.
void mpi_communicators_clear(struct mpi_communicators *set);

#endif
