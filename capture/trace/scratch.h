// SPDX-License-Identifier: GPL-3.0-or-later
// A file in memory that another program can be given by name: what it is asked, and what it answers.
#ifndef TRACE_SCRATCH_H
#define TRACE_SCRATCH_H

#include <stdio.h>

#include "trace/status.h"

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
