// SPDX-License-Identifier: GPL-3.0-or-later
// Programs as Chakra execution traces, which foreign/chakra.c reads back as the same program.
#ifndef FOREIGN_CHAKRA_WRITE_H
#define FOREIGN_CHAKRA_WRITE_H

#include "text/goal.h"

// Writes a program into a new folder, a file rank.RANK.et for each rank: a node for each operation,
// in their order, with the number of its label as id and what it requires as data dependencies.
// made: a text on how they were made. *rounded: computations whose time is no whole number of us,
// which the attribute duration_nanos has exactly. Memory: 4 B for each operation and requirement of
// the longest rank. TR_ERROR: what such a trace does not have (err names the line of the program),
// before anything is written; or the folder exists or cannot be written, and its files are not all
// there then.
enum tr_status chakra_write(const struct goal_program *program, const char *folder,
			    const char *made, uint64_t *rounded, struct tr_error *err);

#endif
