// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of a sweep, several at once.
#ifndef REPLAY_SWEEP_RUNS_H
#define REPLAY_SWEEP_RUNS_H

#include <stdbool.h>

#include "sweep_command.h"

#define SWEEP_JOBS_MAX 1024u

// What became of a run. text: what the last program wrote, zero-terminated, lent.
struct sweep_result {
	size_t run;
	const char *text;
	int exit_status;
	bool failed; // it could not be run, or a signal ended it: why
	struct tr_error why;
};

struct sweep_job {
	const struct sweep_command *command;
	const struct sweep_grid *grid;
	const bool *skip; // by run: not to be run
	size_t at_once;	  // 1..SWEEP_JOBS_MAX
	bool unordered;	  // done is called as soon as a run has ended, not in the order of the grid
	// Told of each run; other than TR_OK starts no more.
	enum tr_status (*done)(void *context, const struct sweep_result *result, struct tr_error *err);
	void *context;
};

// Runs all that are not skipped. Returns the first that done did not return TR_OK for; TR_ERROR also
// where memory is short.
enum tr_status sweep_runs(const struct sweep_job *job, struct tr_error *err);

#endif
