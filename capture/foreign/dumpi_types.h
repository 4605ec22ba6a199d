// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of the types of a DUMPI trace: of C's where the trace does not say them, of derived ones by
// the calls that made them.
#ifndef FOREIGN_DUMPI_TYPES_H
#define FOREIGN_DUMPI_TYPES_H

#include "foreign/dumpi.h"

struct dumpi_types;

enum {
	DUMPI_TYPE_BLOCKS,  // count blocks of the same length, each 1 by default
	DUMPI_TYPE_LENGTHS, // blocks of lengths, of one old type or of one for each
	DUMPI_TYPE_PART,    // part of an array
	DUMPI_TYPE_SHARE,   // the part of one process of a grid, to the nearest
	DUMPI_TYPE_SAID,    // MPI_Type_size
};

// NULL: out of memory. 512 KiB.
struct dumpi_types *dumpi_types_new(void);

// Sets the size of one element of a type.
void dumpi_types_set(struct dumpi_types *types, uint16_t type, uint64_t bytes);

// The bytes of count of a type; 0, and *known false, if its size is not known. TR_ERROR: a count
// below 0, or too many bytes.
enum tr_status dumpi_types_bytes(const struct dumpi_types *types, int64_t count, int64_t type,
				 uint64_t *bytes, bool *known, struct tr_error *err);

// The same; one of unknown size is 0 bytes, and counted in events.
enum tr_status dumpi_types_count(const struct dumpi_types *types, struct events *events,
				 int64_t count, int64_t type, uint64_t *bytes,
				 struct tr_error *err);

// Takes a call that makes a type, or tells its size. TR_ERROR: as above.
enum tr_status dumpi_types_call(struct dumpi_types *types, const struct dumpi_call *call, int how,
				struct tr_error *err);

// Frees it; NULL does nothing.
void dumpi_types_free(struct dumpi_types *types);

#endif
