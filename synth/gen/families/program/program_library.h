// SPDX-License-Identifier: GPL-3.0-or-later
// Which algorithms MPI libraries use for collective operations.
#ifndef GEN_FAMILIES_PROGRAM_LIBRARY_H
#define GEN_FAMILIES_PROGRAM_LIBRARY_H

#include "collectives/sequence.h"

#define PROGRAM_WAY_BYTES 32u

// Whose rules apply to a library (as it names itself; NULL: unknown), such as "Open MPI from 4.1
// on"; NULL: none.
const char *program_library_rules(const char *library);

// The algorithm that it takes for so many bytes, as the kind counts them, on so many ranks, or the
// nearest that the kind has: a word of its key "by", the first one where there are no rules.
void program_library_way(const struct program_kind *kind, const char *library, double bytes,
			 uint32_t ranks, char out[PROGRAM_WAY_BYTES]);

#endif
