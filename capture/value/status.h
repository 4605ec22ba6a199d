// SPDX-License-Identifier: GPL-3.0-or-later
// The status that every library call returns, and the message of a failure.
#ifndef VALUE_STATUS_H
#define VALUE_STATUS_H

#include <stdarg.h>
#include <stdbool.h>

enum tr_status {
	TR_OK = 0,    // done; the result is valid
	TR_END = 1,   // nothing more to come; not an error
	TR_ERROR = 2, // failed; the caller's tr_error says why
};

// One line for a person, without a newline. Zero is a valid empty one. The caller owns it.
struct tr_error {
	char text[512];
	bool breakdown; // out of memory, or a file failed: never to be taken for an answer
};

// Writes the formatted line into *err (err may be NULL; a line that is too long is cut) and
// returns TR_ERROR, so that a failing function can end with "return tr_fail(err, ...)".
enum tr_status tr_fail(struct tr_error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// The same for a function that takes such arguments itself.
enum tr_status tr_fail_with(struct tr_error *err, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

// The words of every message about running out of memory.
#define TR_OUT_OF_MEMORY "out of memory"

// The same for running out of memory, a breakdown: the line is "out of memory for" and the
// formatted text.
enum tr_status tr_no_memory(struct tr_error *err, const char *what, ...)
	__attribute__((format(printf, 2, 3)));

// For a failure that *err already says: puts the formatted text, a colon and a blank before it.
enum tr_status tr_fail_in(struct tr_error *err, const char *where, ...)
	__attribute__((format(printf, 2, 3)));

// As tr_fail, for a failure caused by why: if that was a breakdown, so is this.
enum tr_status tr_fail_for(struct tr_error *err, const struct tr_error *why, const char *format,
			   ...) __attribute__((format(printf, 3, 4)));

#endif
