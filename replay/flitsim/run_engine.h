// SPDX-License-Identifier: GPL-3.0-or-later
// How a run is carried out: by which engine, and by how many processes.
#ifndef FLITSIM_RUN_ENGINE_H
#define FLITSIM_RUN_ENGINE_H

#include <stdbool.h>

#include "flitsim.h"
#include "net/fabric.h"
#include "sim/letters.h"
#include "tool/tool.h"

// --- engine_choice.c

// The engine of this name; "auto": the kind's first that carries everything that is asked for,
// where none does the last, which says so when it is run. NULL after reporting an error.
const struct net_engine *engine_choose(struct tool *tool, const char *name,
				       const struct fabric *fabric, const struct net_setup *setup);

// --- rank_run.c

// The processes of one run, its ranks, as mpirun or srun has started them. Rank 0 runs the program;
// the others have its command line, and do what it orders. Zero is one process.
struct rank_run {
	struct sim_ranks ranks;
	const char *const *argv; // lent
	int argc;
	int said;	// of a rank above 0: the file to which its messages go
	int errors;	// of such a one: standard error
	uint64_t files; // rank_files_digest; the other ranks compare
	bool several;	// there are ranks
};

// Joins the other ranks, if the environment tells of any; before anything is printed, which only
// rank 0 does. Returns false after reporting an error.
void rank_run_prepare(struct rank_run *run, int argc, char **argv);
bool rank_run_join(struct rank_run *run, struct tool *tool);

// Whether this is a rank above 0.
bool rank_run_follows(const struct rank_run *run);

// Rank 0 is about to run this engine: the others are told, and setup gets them.
void rank_run_begin(struct rank_run *run, const struct net_engine *engine, struct net_setup *setup);

// The others wait for that, and run it. setup has the network. Returns false after reporting an
// error.
bool rank_run_follow(struct rank_run *run, struct tool *tool, const struct fabric *fabric,
		     struct net_setup *setup);

// Ends the run in all ranks with the status of rank 0, which is returned.
int rank_run_leave(struct rank_run *run, int status);

// --- rank_files.c

// Of the contents of the files of the network, its routes and its keys.
uint64_t rank_files_digest(const struct sim_options *options);

#endif
