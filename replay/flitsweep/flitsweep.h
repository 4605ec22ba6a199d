// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep: one command for all combinations of its parameters' values.
#ifndef REPLAY_FLITSWEEP_FLITSWEEP_H
#define REPLAY_FLITSWEEP_FLITSWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "trace/files.h"
#include "trace/spawn.h"
#include "trace/status.h"

// --- combinations.c

// Parameters with their values, and all combinations of these: the last parameter changes first.

#define SWEEP_RUNS_MAX 1000000u

struct sweep_parameter {
	char *name;
	char **values;
	size_t count;
};

// Zero is valid and has one combination.
struct sweep_grid {
	struct sweep_parameter *parameters;
	size_t count;
};

// Adds a parameter from "name=2,4,8" or "seed=1..10" (also mixed: whole numbers from 1 to 10). The
// name has the characters a-z, 0-9, _ and -. TR_ERROR: malformed, empty, twice, or more than
// 1,000,000 combinations.
enum tr_status sweep_grid_add(struct sweep_grid *grid, const char *text, struct tr_error *err);

// Number of combinations.
size_t sweep_grid_runs(const struct sweep_grid *grid);

// Value of a parameter in a run. Lent from the grid.
const char *sweep_grid_value(const struct sweep_grid *grid, size_t run, size_t parameter);

// The parameter called name (of so many bytes); grid->count where there is none.
size_t sweep_grid_find(const struct sweep_grid *grid, const char *name, size_t bytes);

// "load=0.3 seed=4", into out; returns it.
const char *sweep_grid_name(const struct sweep_grid *grid, size_t run, char *out, size_t out_bytes);

void sweep_grid_clear(struct sweep_grid *grid);

// --- command.c

// The command of a sweep: programs joined by pipes, with {name} where a parameter's value goes. No
// shell has a part in it: each word is one argument, whatever is in it.

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

// --- jobs.c

// The runs of a sweep, several at once.

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
	// Called for each run; no more start after other than TR_OK.
	enum tr_status (*done)(void *context, const struct sweep_result *result, struct tr_error *err);
	void *context;
};

// Runs all that are not skipped. Returns the first that done did not return TR_OK for; TR_ERROR also
// where memory is short.
enum tr_status sweep_runs(const struct sweep_job *job, struct tr_error *err);

// --- folder.c

// A folder with the outputs of a sweep's runs, a file each: a line with the command of the run, one with its exit status, and what
// its last program wrote. A file that is there is whole. A run whose file has
// its command need not be run again; what other sweeps left is not touched, unless it has the same parameters.

struct sweep_folder {
	const char *path;
	const struct sweep_command *command;
	const struct sweep_grid *grid;
	const struct tr_files *files; // what must not be overwritten
};

// Makes the folder where it is absent.
enum tr_status sweep_folder_open(const struct sweep_folder *folder, struct tr_error *err);

// The run's output, to be freed with *whole. TR_END: there is none by this command. TR_ERROR also where its file is one of
// those that must not be overwritten.
enum tr_status sweep_folder_get(const struct sweep_folder *folder, size_t run, char **whole, const char **text,
				int *exit_status, struct tr_error *err);

// Writes the run's file.
enum tr_status sweep_folder_put(const struct sweep_folder *folder, size_t run, const char *text, int exit_status,
				struct tr_error *err);

// --- results.c

// The table that a sweep writes: the rows of one table of every run, its parameters before them.

#define SWEEP_TABLES_MAX 8u

// Zero, but for what the caller sets, before sweep_results_open.
struct sweep_results {
	const struct sweep_grid *grid;	 // set by the caller
	const char *name;		 // of the file, for messages
	const char *first_line;		 // what it was made by, without the newline
	size_t tables[SWEEP_TABLES_MAX]; // of each run's output, from 1, side by side
	size_t table_count;
	FILE *out;
	char *columns; // of the programs' table; NULL before they are known
	bool *done;    // by run: its rows are in the file
};

// Starts to write to out (which is lent), of which nothing was written before. TR_ERROR for memory.
enum tr_status sweep_results_start(struct sweep_results *results, FILE *out, struct tr_error *err);

// Opens the file called results->name to go on with: its rows are read, runs whose rows it has
// are done, and rows of the last one, which may be cut, are taken away. An absent file is made.
// TR_ERROR where it was made by something else or cannot be read and written.
enum tr_status sweep_results_open(struct sweep_results *results, struct tr_error *err);

// Takes "1" or "1,2" for the tables. TR_ERROR: not such a list.
enum tr_status sweep_results_tables(struct sweep_results *results, const char *list, struct tr_error *err);

// Writes the rows of a run. text: its output, tables of tab-separated values with a line of headings,
// a blank line between two; lines that begin with # do not count. Of several tables, which have the
// first column in common, the rows of the first one are followed by what the others have where that column is the same, "-" where
// nothing is. TR_ERROR: no such table in it, no common column, other columns than another run's, or writing failed.
enum tr_status sweep_results_put(struct sweep_results *results, size_t run, const char *text, struct tr_error *err);

// Closes what sweep_results_open opened, frees the rest. TR_ERROR where closing failed.
enum tr_status sweep_results_close(struct sweep_results *results, struct tr_error *err);

#endif
