// SPDX-License-Identifier: GPL-3.0-or-later
// Files of the recorder of MPI in memory, for tests: a header, and slots as the caller lays them.
#ifndef MPI_RECORD_BED_H
#define MPI_RECORD_BED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/rank_record.h"

// Writes the header of a rank to out, which has room for REC_HEADER_BYTES.
static inline void mpi_record_header(char *out, unsigned rank, unsigned ranks)
{
	memset(out, 0, REC_HEADER_BYTES);
	(void)snprintf(out, REC_HEADER_BYTES,
		       REC_MAGIC
		       "slot %d\nrun 0123456789abcdef\nrank %u\nranks %u\nhost h%u\nlibrary test\n",
		       REC_SLOT_BYTES, rank, ranks, rank);
}

#endif
