// SPDX-License-Identifier: GPL-3.0-or-later
// The one way to run another program: an argument vector, no shell, a checked status.
#ifndef TRACE_SPAWN_H
#define TRACE_SPAWN_H

#include <sys/types.h>

#include "trace/status.h"

// Runs argv[0], looked up on PATH, with argv (NULL-terminated) and waits for its end. stdin_path and stdout_path
// are files to be its standard input and output, written over from their beginning; NULL: /dev/null and our standard
// error. They are for scratch: an output that a user named goes through trace/outfile.h and tr_spawn_start. TR_OK only
// where it ended with status 0; err names the program, how it ended, and the first line that it wrote to its standard error,
// which goes nowhere else.
enum tr_status tr_spawn(const char *const argv[], const char *stdin_path, const char *stdout_path,
			struct tr_error *err);

// A program that runs beside us. program is lent from its argv.
struct tr_child {
	pid_t process;
	const char *program;
};

// Starts argv[0] as tr_spawn does, with two descriptors of ours as its standard input and output (they stay
// open here; all others should be close-on-exec), and does not wait.
enum tr_status tr_spawn_start(struct tr_child *child, const char *const argv[], int in, int out,
			      struct tr_error *err);

// Waits for its end. TR_OK: *exit_status is what it ended with. TR_ERROR: a signal ended it.
enum tr_status tr_spawn_wait(const struct tr_child *child, int *exit_status, struct tr_error *err);

#endif
