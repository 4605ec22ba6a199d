// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of the collective operations of DUMPI's traces, from those arguments that mean something
// with MPI_IN_PLACE, too, which the traces do not tell apart.
#ifndef FOREIGN_DUMPI_COLLECTIVES_H
#define FOREIGN_DUMPI_COLLECTIVES_H

#include "foreign/dumpi_types.h"

// Fills in bytes and counts of an event of which the collective and the communicator are known.
enum tr_status dumpi_collective_bytes(const struct dumpi_types *types, struct events *events,
				      uint32_t rank, const struct dumpi_call *call,
				      struct event *event, struct tr_error *err);

#endif
