// SPDX-License-Identifier: GPL-3.0-or-later
// What every call of the libraries answers, and the text that goes with a failure.
#ifndef TRACE_STATUS_H
#define TRACE_STATUS_H

#include <stdbool.h>

enum tr_status {
	TR_OK = 0,    // done; the result is valid
	TR_END = 1,   // nothing more to come; not an error
	TR_ERROR = 2, // failed; the caller's tr_error says why
};

// One line for a person, without a newline. Zero is a valid empty one. The caller owns it.
struct tr_error {
	char text[512];
	bool breakdown; // memory ended, or a file failed: says nothing about what was asked, so is never an answer
};

// Writes the formatted line into *err (err may be NULL; a line that is too long is cut) and
// returns TR_ERROR, so that a failing function can end with "return tr_fail(err, ...)".
enum tr_status tr_fail(struct tr_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

// What every message says where memory ended.
#define TR_OUT_OF_MEMORY "out of memory"

// The same where memory ended, a breakdown: the line is "out of memory for" and what the format says.
enum tr_status tr_no_memory(struct tr_error *err, const char *what, ...) __attribute__((format(printf, 2, 3)));

// As tr_fail, for a failure that why caused: where that was a breakdown, this is one.
enum tr_status tr_fail_for(struct tr_error *err, const struct tr_error *why, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
