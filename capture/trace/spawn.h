// SPDX-License-Identifier: GPL-3.0-or-later
// The one way to run another program: an argument vector, no shell, a checked status.
#ifndef TRACE_SPAWN_H
#define TRACE_SPAWN_H

#include "trace/status.h"

// Runs argv[0], looked up on PATH, with argv (NULL-terminated) and waits for its end. stdin_path and stdout_path
// are files to be its standard input and output; NULL: /dev/null and our standard error. TR_OK only
// where it ended with status 0; err names the program and how it ended.
enum tr_status tr_spawn(const char *const argv[], const char *stdin_path, const char *stdout_path,
			struct tr_error *err);

#endif
