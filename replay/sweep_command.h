// SPDX-License-Identifier: GPL-3.0-or-later
// The command of a sweep: programs joined by pipes, with {name} where a parameter's value goes. No
// shell has a part in it: each word is one argument, whatever is in it.
#ifndef REPLAY_SWEEP_COMMAND_H
#define REPLAY_SWEEP_COMMAND_H

#include "sweep_grid.h"
#include "trace/spawn.h"

#define SWEEP_STAGES_MAX 16u

// Words are lent; a word "|" stands between two programs.
struct sweep_command {
	const char *const *words;
	size_t count;
};

// TR_ERROR: a program is missing, there are more than 16, a parameter is not used, or {name} names
// none.
enum tr_status sweep_command_check(const struct sweep_command *command, const struct sweep_grid *grid, struct tr_error *err);

// Programs at work. output: what the last one writes, to be read to its end and closed.
struct sweep_pipeline {
	struct tr_child stages[SWEEP_STAGES_MAX];
	size_t count;
	int output;
};

// Starts the programs of one run, the first one's standard input being empty. TR_ERROR: one could not
// be started, and those before it have ended.
enum tr_status sweep_command_start(const struct sweep_command *command, const struct sweep_grid *grid, size_t run,
				   struct sweep_pipeline *pipeline, struct tr_error *err);

// Closes the output and waits for all. *exit_status is the last program's, as in a shell (one before
// it may have been left without a reader). TR_ERROR where a signal ended that.
enum tr_status sweep_pipeline_finish(struct sweep_pipeline *pipeline, int *exit_status, struct tr_error *err);

// The command of one run in a line, as a shell would take it; to be freed. NULL without memory.
char *sweep_command_text(const struct sweep_command *command, const struct sweep_grid *grid, size_t run);

// Word i of one run, its parameters filled in; to be freed. NULL without memory.
char *sweep_command_word(const struct sweep_command *command, const struct sweep_grid *grid, size_t run, size_t i);

// The last program's name.
const char *sweep_command_last(const struct sweep_command *command);

#endif
