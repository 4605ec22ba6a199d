// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of flitmpi share.
#ifndef FLITMPI_H
#define FLITMPI_H

#include <limits.h>
#include <signal.h>

#include "file/spawn.h"
#include "table/opt.h"
#include "value/status.h"

// MPI libraries by their binary interface: each has a recorder of its own.
enum mpi_kind { MPI_OPENMPI, MPI_MPICH, MPI_UNKNOWN };

extern const struct opt_choice mpi_kinds[];

// Where a program is: itself if it has a slash, else on PATH. TR_ERROR: nowhere.
enum tr_status mpi_find_program(const char *program, char path[PATH_MAX], struct tr_error *err);

// The kind of the MPI library that the program at path is linked to, directly or by another
// library, as its own dynamic loader says. MPI_UNKNOWN: to none, or it is no dynamically linked
// program (a script). TR_ERROR: the loader failed.
enum tr_status mpi_linked_to(const char *path, enum mpi_kind *kind, struct tr_error *err);

// What the ranks' dynamic loader gets, to be cleared. Zero is an empty one.
struct mpi_preload {
	char *libraries; // LD_PRELOAD
	char *folders;	 // LD_LIBRARY_PATH; NULL: as it is
};

// The recorder for a kind, before what LD_PRELOAD names already; for a program that is not linked
// to the library, also the library itself. A path with a blank, which parts the names in
// LD_PRELOAD, is found by LD_LIBRARY_PATH. TR_ERROR also for a path that neither takes.
enum tr_status mpi_preload_make(struct mpi_preload *preload, enum mpi_kind kind, bool late,
				struct tr_error *err);

// Frees what it holds; it is empty then.
void mpi_preload_clear(struct mpi_preload *preload);

#define MPI_LAUNCH_WORDS 32u // of --launcher, and ours

// What starts the ranks.
struct mpi_launch {
	enum mpi_kind kind;
	const char *launcher; // words; NULL: that of the MPI library
	const char *ranks;    // NULL: as the launcher decides
	const struct mpi_preload *preload;
	sigset_t held;	    // by mpi_hold_signals
	const char *record; // the files' name without the rank
	bool clock_each;    // compare the clock of each rank
	const char *const *program;
	size_t program_words;
};

// How it ended. signal: that ended the run from outside, 0 if none did; exit_status: the
// launcher's, where a signal counts as 128 and its number, as in a shell.
struct mpi_end {
	int signal, exit_status;
};

// Blocks SIGINT, SIGTERM and, if they are not ignored, SIGHUP and SIGQUIT until the end of this
// process, and puts them and SIGCHLD in held.
void mpi_hold_signals(sigset_t *held);

// As tr_spawn_wait; a held signal ends the child, and is returned in end.
enum tr_status mpi_wait(const struct tr_child *child, const sigset_t *held, int *exit_status,
			struct mpi_end *end, struct tr_error *err);

// Runs the program on its ranks, with our streams, until all have ended. Held signals do not end
// this process, but are passed to the launcher; what does not end then is killed, within seconds.
// TR_ERROR: it could not be started, or did not end.
enum tr_status mpi_launch(const struct mpi_launch *launch, struct mpi_end *end,
			  struct tr_error *err);

#endif
