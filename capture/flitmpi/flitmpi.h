// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of flitmpi share.
#ifndef FLITMPI_H
#define FLITMPI_H

#include <limits.h>

#include "trace/opt.h"
#include "trace/status.h"

// MPI libraries by their binary interface: each has a recorder of its own.
enum mpi_kind { MPI_OPENMPI, MPI_MPICH, MPI_UNKNOWN };

extern const struct opt_choice mpi_kinds[];

// Where a program is: itself if it has a slash, else on PATH. TR_ERROR: nowhere.
enum tr_status mpi_find_program(const char *program, char path[PATH_MAX], struct tr_error *err);

// The kind of the MPI library that the program at path is linked to, directly or by another library, as its own dynamic loader says.
// MPI_UNKNOWN: to none, or it is no dynamically linked program (a script). TR_ERROR: the loader failed.
enum tr_status mpi_linked_to(const char *path, enum mpi_kind *kind, struct tr_error *err);

// The path of the recorder for a kind. TR_ERROR: it was not built.
enum tr_status mpi_recorder(enum mpi_kind kind, char path[PATH_MAX], struct tr_error *err);

// The library's own name, for programs that load it late.
const char *mpi_library_name(enum mpi_kind kind);

#define MPI_LAUNCH_WORDS 32u // of --launcher, and ours

// What starts the ranks.
struct mpi_launch {
	enum mpi_kind kind;
	const char *launcher; // words; NULL: that of the MPI library
	const char *ranks;    // NULL: as the launcher decides
	const char *preload;  // libraries, separated by colons
	const char *record;   // the files' name without the rank
	bool clock_each;      // compare the clock of each rank
	const char *const *program;
	size_t program_words;
};

// Runs the program on its ranks, with our streams, until all have ended. The interrupt of a terminal reaches them, too, and does not end
// this process. *exit_status is the launcher's; a signal that ended it counts as 128 and its number, as in a shell. TR_ERROR: it could
// not be started.
enum tr_status mpi_launch(const struct mpi_launch *launch, int *exit_status, struct tr_error *err);

#endif
