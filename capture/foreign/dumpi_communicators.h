// SPDX-License-Identifier: GPL-3.0-or-later
// The communicators of a rank of a DUMPI trace. It names no members: they follow from the calls
// that made the communicators and groups (rank_events.h), of graphs in the order of the parent. The
// members cannot be told where a program joins another.
#ifndef FOREIGN_DUMPI_COMMUNICATORS_H
#define FOREIGN_DUMPI_COMMUNICATORS_H

#include "foreign/dumpi.h"
#include "value/id_map.h"

#define DUMPI_SIDES_MAX 16u

enum {
	DUMPI_MADE_BY_DUP,
	DUMPI_MADE_BY_SPLIT,
	DUMPI_MADE_OF_SOME,
	DUMPI_MADE_OF_GROUP,
	DUMPI_MADE_A_GRID,
	DUMPI_MADE_OF_GRID,
	DUMPI_MADE_BETWEEN,
	DUMPI_MADE_BY_MERGE,
	DUMPI_MADE_UNKNOWN
};

struct dumpi_grid {
	uint32_t sides;
	uint32_t side[DUMPI_SIDES_MAX];
};

struct dumpi_communicators {
	struct tr_id_array own;	   // the trace's number to the rank's own
	struct tr_id_array groups; // the same of groups
	struct tr_id_array grid;   // the trace's number of a communicator to its place in grids
	struct dumpi_grid *grids;
	uint32_t grid_count;
};

// Begins with MPI_COMM_WORLD and MPI_COMM_SELF.
enum tr_status dumpi_communicators_start(struct dumpi_communicators *communicators,
					 struct events *events, uint32_t rank,
					 struct tr_error *err);

// The rank's own number of one of the trace's; false if its members cannot be known.
bool dumpi_communicators_find(const struct dumpi_communicators *communicators, int64_t trace_number,
			      uint32_t *number);

// Takes a call that makes a communicator.
enum tr_status dumpi_communicators_call(struct dumpi_communicators *communicators,
					struct events *events, uint32_t rank,
					const struct dumpi_call *call, int how,
					struct tr_error *err);

// Takes a call that makes a group; how: enum event_group_made (groups.h).
enum tr_status dumpi_communicators_group(struct dumpi_communicators *communicators,
					 struct events *events, uint32_t rank,
					 const struct dumpi_call *call, int how,
					 struct tr_error *err);

// Frees what it holds.
void dumpi_communicators_clear(struct dumpi_communicators *communicators);

#endif
