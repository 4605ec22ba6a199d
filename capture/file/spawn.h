// SPDX-License-Identifier: GPL-3.0-or-later
// The one way to run another program: an argument vector, no shell, a checked status. A child does
// not outlive us: when this process ends, by whatever signal, the child gets SIGTERM. (Linux ties
// that to the thread that started it.)
//
// A child's message may be an answer (this model does not fit that number of nodes), after which
// the caller continues in another way. There is no answer if a signal ended the child, its status
// is above 2, it could not be started, or it reports that memory, descriptors, processes or disk
// space ran out: then err is a breakdown (value/status.h), and the caller must fail.
#ifndef FILE_SPAWN_H
#define FILE_SPAWN_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "value/status.h"

// Finds the suite's program of this name: beside the running one, else by name on PATH. Returns
// path or name.
const char *tr_spawn_beside(const char *name, char path[PATH_MAX]);

// Finds a program (X_OK) or file (F_OK) by its name in the folders of PATH, passing over those that
// this user cannot search.
bool tr_spawn_find(const char *name, int mode, char path[PATH_MAX]);

// Makes the whole path of a file of the suite that is to be read, not run, from its path relative
// to the folder of the running program. TR_ERROR: it cannot be read; err names it.
enum tr_status tr_spawn_file_beside(const char *name, char path[PATH_MAX], struct tr_error *err);

// Runs argv[0], looked up on PATH, with argv (NULL-terminated) and waits for its end. stdin_path
// and stdout_path are files for its standard input and output, overwritten from their beginning;
// NULL: /dev/null and our standard error. They are for scratch: an output that a user named goes
// through file/outfile.h and tr_spawn_start. TR_OK only if its exit status is 0; else err names the
// program, how it ended, and the first line of its standard error, which goes nowhere else. TR_END:
// there is no such program, as err says.
enum tr_status tr_spawn(const char *const argv[], const char *stdin_path, const char *stdout_path,
			struct tr_error *err);

// A child process. program is lent from its argv.
struct tr_child {
	pid_t process;
	const char *program;
	int remark; // collects its standard error; -1: it writes to ours
};

// Starts argv[0] as tr_spawn does, without waiting, with three of our descriptors as its standard
// input, output and error (they stay open here; all others should be close-on-exec).
enum tr_status tr_spawn_start(struct tr_child *child, const char *const argv[], int in, int out,
			      int errors, struct tr_error *err);

// Waits for its end. TR_OK: *exit_status is what it ended with. TR_ERROR: a signal ended it, and
// *exit_status is 128 and the signal's number, as in a shell.
enum tr_status tr_spawn_wait(const struct tr_child *child, int *exit_status, struct tr_error *err);

// Starts argv[0] as tr_spawn does, without waiting: its output is read from *out, which the caller
// closes before tr_spawn_end.
enum tr_status tr_spawn_read(struct tr_child *child, const char *const argv[],
			     const char *stdin_path, int *out, struct tr_error *err);

// Waits for its end; statuses as tr_spawn.
enum tr_status tr_spawn_end(struct tr_child *child, struct tr_error *err);

// ---- a file in memory with a name that can be passed to another program, for its input or output

// Zero is a valid closed one. The path is valid while the file is open.
struct tr_scratch {
	FILE *file; // for reading and writing
	char path[32];
};

// what is for messages: "the figures".
enum tr_status tr_scratch_open(struct tr_scratch *scratch, const char *what, struct tr_error *err);

// Ends writing. TR_ERROR if something could not be written.
enum tr_status tr_scratch_flush(struct tr_scratch *scratch, const char *what, struct tr_error *err);

// Everything written to the file, by any process: *text is zero-terminated and the caller's to
// free, NULL on failure.
enum tr_status tr_scratch_take(struct tr_scratch *scratch, const char *what, char **text,
			       struct tr_error *err);

// Closes the file, which is gone then.
void tr_scratch_close(struct tr_scratch *scratch);

#endif
