// SPDX-License-Identifier: GPL-3.0-or-later
// The one way to run another program: an argument vector, no shell, a checked status.
#ifndef TRACE_SPAWN_H
#define TRACE_SPAWN_H

#include <limits.h>
#include <stdio.h>
#include <sys/types.h>

#include "trace/status.h"

// Where to find the suite's program of this name: beside the running one, else by the name itself on PATH. Returns path or
// name.
const char *tr_spawn_beside(const char *name, char path[PATH_MAX]);

// Runs argv[0], looked up on PATH, with argv (NULL-terminated) and waits for its end. stdin_path and stdout_path
// are files to be its standard input and output, written over from their beginning; NULL: /dev/null and our standard
// error. They are for scratch: an output that a user named goes through trace/outfile.h and tr_spawn_start. TR_OK only
// where it ended with status 0; err names the program, how it ended, and the first line that it wrote to its standard error,
// which goes nowhere else. TR_END: there is no such program, which err says.
enum tr_status tr_spawn(const char *const argv[], const char *stdin_path, const char *stdout_path, struct tr_error *err);

// A program that runs beside us. program is lent from its argv.
struct tr_child {
	pid_t process;
	const char *program;
	int remark; // keeps what it writes to its standard error; -1: that is ours
};

// Starts argv[0] as tr_spawn does, with two descriptors of ours as its standard input and output (they stay
// open here; all others should be close-on-exec) and our standard error, and does not wait.
enum tr_status tr_spawn_start(struct tr_child *child, const char *const argv[], int in, int out, struct tr_error *err);

// Waits for its end. TR_OK: *exit_status is what it ended with. TR_ERROR: a signal ended it.
enum tr_status tr_spawn_wait(const struct tr_child *child, int *exit_status, struct tr_error *err);

// Starts argv[0] as tr_spawn does, and does not wait: what it writes comes from *out, which the caller closes before
// tr_spawn_end.
enum tr_status tr_spawn_read(struct tr_child *child, const char *const argv[], const char *stdin_path, int *out,
			     struct tr_error *err);

// Waits for its end and answers as tr_spawn.
enum tr_status tr_spawn_end(struct tr_child *child, struct tr_error *err);

// ---- a file in memory that another program can be given by name: what it is asked, and what it answers

// Zero is a valid closed one. The path is valid in this process while the file is open.
struct tr_scratch {
	FILE *file; // for reading and writing
	char path[32];
};

// what stands in messages: "the figures".
enum tr_status tr_scratch_open(struct tr_scratch *scratch, const char *what, struct tr_error *err);

// Ends writing. TR_ERROR where not everything could be kept.
enum tr_status tr_scratch_flush(struct tr_scratch *scratch, const char *what, struct tr_error *err);

// All that was written to the file, by whomever: *text is zero-terminated and the caller's to free, NULL after a failure.
enum tr_status tr_scratch_take(struct tr_scratch *scratch, const char *what, char **text, struct tr_error *err);

void tr_scratch_close(struct tr_scratch *scratch);

#endif
