// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep: one command for all combinations of its parameters' values.
#ifndef REPLAY_FLITSWEEP_FLITSWEEP_H
#define REPLAY_FLITSWEEP_FLITSWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "file/files.h"
#include "file/source.h"
#include "file/spawn.h"
#include "tool/tool.h"
#include "value/status.h"

// --- combinations.c

// Parameters with their values, and all combinations of these: the last parameter changes first.

#define SWEEP_RUNS_MAX 1000000u

struct sweep_parameter {
	char *name;
	char **values;
	size_t count;
	bool along; // its values go along with those of the parameter before it, as columns of a
		    // list
};

// Zero is valid and has one combination.
struct sweep_grid {
	struct sweep_parameter *parameters;
	size_t count;
};

// Adds a parameter from "name=2,4,8" or "seed=1..10" (also mixed; a range is of whole numbers). The
// name has the characters a-z, 0-9, _ and -. TR_ERROR: malformed, empty, repeated, or more than
// 1,000,000 combinations.
enum tr_status sweep_grid_add(struct sweep_grid *grid, const char *text, struct tr_error *err);

// Adds the parameters of a list, which has a run in each line: the line is the value of the
// parameter "line", or, if the first line is "# name<TAB>name", it has the values of these, with
// tabs between them. Empty lines and those that begin with # are skipped. TR_ERROR: malformed, too
// long or empty; err names the line.
enum tr_status sweep_grid_read(struct sweep_grid *grid, struct tr_source *source,
			       struct tr_error *err);

// Number of combinations.
size_t sweep_grid_runs(const struct sweep_grid *grid);

// Value of a parameter in a run. Lent from the grid.
const char *sweep_grid_value(const struct sweep_grid *grid, size_t run, size_t parameter);

// The parameter with this name (of bytes bytes); grid->count if there is none.
size_t sweep_grid_find(const struct sweep_grid *grid, const char *name, size_t bytes);

// Writes "load=0.3 seed=4" to out; returns it.
const char *sweep_grid_name(const struct sweep_grid *grid, size_t run, char *out, size_t out_bytes);

// Frees what it holds; it is empty then.
void sweep_grid_clear(struct sweep_grid *grid);

// --- command.c

// The command of a sweep: programs joined by pipes; {name} stands for a parameter's value. It runs
// without a shell: each word is one argument, whatever it contains.

#define SWEEP_STAGES_MAX 16u

// Words are lent; a word "|" separates two programs.
struct sweep_command {
	const char *const *words;
	size_t count;
};

// TR_ERROR: a program is missing, there are more than 16, a parameter is not used, or {name} is no
// parameter.
enum tr_status sweep_command_check(const struct sweep_command *command,
				   const struct sweep_grid *grid, struct tr_error *err);

// Running programs. output: of the last one, to be read to its end. said: the standard error of
// all; reading it does not wait.
struct sweep_pipeline {
	struct tr_child stages[SWEEP_STAGES_MAX];
	size_t count;
	int output;
	int said;
};

// Starts the programs of one run; the first one's standard input is empty. TR_ERROR: one could not
// be started; those before it have ended.
enum tr_status sweep_command_start(const struct sweep_command *command,
				   const struct sweep_grid *grid, size_t run,
				   struct sweep_pipeline *pipeline, struct tr_error *err);

// Closes both and waits for all. *exit_status is the last program's, as in a shell (earlier ones
// may have lost their reader), but 1 if that is 0 and an earlier one ended with 1, so that no
// answer "no" is lost. TR_ERROR if a signal ended one, other than the loss of its reader;
// *exit_status is then 128 and the signal.
enum tr_status sweep_pipeline_finish(struct sweep_pipeline *pipeline, int *exit_status,
				     struct tr_error *err);

// The command of one run as a shell command line; to be freed. NULL if out of memory.
char *sweep_command_text(const struct sweep_command *command, const struct sweep_grid *grid,
			 size_t run);

// Word i of one run, its parameters filled in; to be freed. NULL if out of memory.
char *sweep_command_word(const struct sweep_command *command, const struct sweep_grid *grid,
			 size_t run, size_t i);

// Makes sure that no output of the tool overwrites a file that a word of a run, or what follows an
// "=" in it, names, except those in /dev and /proc, which differ between processes. TR_ERROR if out
// of memory; TR_END after reporting an error.
enum tr_status sweep_command_claim(const struct sweep_command *command,
				   const struct sweep_grid *grid, struct tool *tool,
				   struct tr_error *err);

// The last program's name.
const char *sweep_command_last(const struct sweep_command *command);

// --- remarks.c

// The standard error of the programs of runs: prints each line with its run. A repeated line is
// only counted.

#define SWEEP_REMARKS_MAX 1000u // lines that are known again

struct sweep_remark {
	char *line;
	uint64_t again; // how often it was said after the first time
};

// Zero, except for the caller's fields, is valid.
struct sweep_remarks {
	struct tool *tool; // set by the caller, as grid
	const struct sweep_grid *grid;
	struct sweep_remark *each;
	size_t count;
};

// The incomplete last line of one run. NULL if out of memory.
struct sweep_said;
struct sweep_said *sweep_said_new(void);

// Prints the lines that can be read from fd without waiting. False: it has ended.
bool sweep_said_take(struct sweep_remarks *remarks, size_t run, struct sweep_said *said, int fd);

// Prints what is left, and frees said; NULL is accepted.
void sweep_said_end(struct sweep_remarks *remarks, size_t run, struct sweep_said *said);

// Prints how often lines were repeated, and forgets all.
void sweep_remarks_end(struct sweep_remarks *remarks);

// --- jobs.c

// The runs of a sweep, several at once.

#define SWEEP_JOBS_MAX 1024u

// The result of a run. text: the last program's output, zero-terminated, lent.
struct sweep_result {
	size_t run;
	const char *text;
	int exit_status; // 127: it could not be run; 128 and a signal that ended it
	bool failed;	 // one of these: why
	struct tr_error why;
};

struct sweep_job {
	const struct sweep_command *command;
	const struct sweep_grid *grid;
	const bool *skip; // by run: do not run it
	size_t at_once;	  // 1..SWEEP_JOBS_MAX
	bool unordered;	  // call done as soon as a run has ended, not in the order of the grid
	// Called for each run; no more runs start after a result other than TR_OK.
	enum tr_status (*done)(void *context, const struct sweep_result *result,
			       struct tr_error *err);
	// Called when a run has ended, before done, and twice a second, with the number of runs
	// that have ended.
	void (*progress)(void *context, size_t ended);
	void *context;
	struct sweep_remarks *remarks;
};

// Runs all that are not skipped. Returns the first result of done other than TR_OK; TR_ERROR also
// where memory runs out.
enum tr_status sweep_runs(const struct sweep_job *job, struct tr_error *err);

// --- folder.c

// A folder with one output file per run of a sweep: a line with the command, one with the exit
// status, the last program's output, and a line with the hash of all this. A file whose last line
// is not that is not whole, and counts as absent. A run whose file has its command and the status 0
// or 1 need not run again, whoever did it, on any machine that shares the folder; files of other
// sweeps are left alone, unless the parameters are equal.

#define SWEEP_END \
	"# end " // and the hash of everything before it, 16 hexadecimal digits, and a newline

// Takes the last line, the end mark, off the text. Whether it is one, and of the text before it;
// else the text is as it was.
bool sweep_take_end(char *text);

struct sweep_folder {
	const char *path;
	const struct sweep_command *command;
	const struct sweep_grid *grid;
	const struct tr_files *files; // files that must not be overwritten
};

// Creates the folder if absent.
enum tr_status sweep_folder_open(const struct sweep_folder *folder, struct tr_error *err);

// The run's output, to be freed with *whole. TR_END: none with this command (*exit_status is 0), or
// the run failed (*exit_status is above 1). TR_ERROR also if its file is one that must not be
// overwritten.
enum tr_status sweep_folder_get(const struct sweep_folder *folder, size_t run, char **whole,
				const char **text, int *exit_status, struct tr_error *err);

// Writes the run's file.
enum tr_status sweep_folder_put(const struct sweep_folder *folder, size_t run, const char *text,
				int exit_status, struct tr_error *err);

// Removes the file of a run.
enum tr_status sweep_folder_forget(const struct sweep_folder *folder, size_t run,
				   struct tr_error *err);

// --- results.c

// The table written by a sweep: the rows of one table of every run, preceded by its parameters.

#define SWEEP_TABLES_MAX 8u

// Zero, except for the caller's fields, before sweep_results_open.
struct sweep_results {
	const struct sweep_grid *grid;	 // set by the caller
	const char *name;		 // of the file, for messages
	const char *first_lines;	 // provenance, without the newline
	size_t tables[SWEEP_TABLES_MAX]; // of each run's output, from 1, side by side
	size_t table_count;
	FILE *out;
	char *columns;		   // of the programs' table; NULL before they are known
	bool *done;		   // by run: its rows are in the file
	struct XXH3_state_s *hash; // of what was written
};

// The first lines, to be freed: "# title", if there is one, and "# flitsweep VERSION: command",
// each as one line. NULL if out of memory.
char *sweep_results_first_lines(const char *title, const struct sweep_command *command);

// Starts a new output to out (lent). TR_ERROR where memory runs out.
enum tr_status sweep_results_start(struct sweep_results *results, FILE *out, struct tr_error *err);

// Opens the file called results->name to continue it: reads its rows, marks their runs as done, and
// removes its end mark or, without one, the rows of the last run, which may be incomplete. Creates
// an absent file. TR_ERROR if it has another provenance, an end mark of other rows, or cannot be
// read and written.
enum tr_status sweep_results_open(struct sweep_results *results, struct tr_error *err);

// Sets the tables from "1", "1,2" or "none". TR_ERROR: not such a list.
enum tr_status sweep_results_tables(struct sweep_results *results, const char *list,
				    struct tr_error *err);

// Writes the rows of a run. text: its output, tables of tab-separated values with a header line,
// separated by blank lines; lines that begin with # are skipped. Several tables are joined on their
// common first column: the rows of the first are extended by the others', "-" where missing.
// TR_ERROR: no such table, a row of another number of columns, JSON or CSV, no common column, other
// columns than another run's, or writing failed.
enum tr_status sweep_results_put(struct sweep_results *results, size_t run, const char *text,
				 struct tr_error *err);

// Writes the end mark of a table that has the rows of all runs, if it has any. TR_ERROR where that
// fails.
enum tr_status sweep_results_end(struct sweep_results *results, struct tr_error *err);

// Closes what sweep_results_open opened, and frees the rest. TR_ERROR where closing failed.
enum tr_status sweep_results_close(struct sweep_results *results, struct tr_error *err);

#endif
