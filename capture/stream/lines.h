// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of text from a byte source.
#ifndef STREAM_LINES_H
#define STREAM_LINES_H

#include <stdint.h>

#include "file/source.h"
#include "value/status.h"

#define TR_LINE_MAX 65536u // longest line in bytes

// Valid if zero except for source, which is lent.
struct tr_lines {
	struct tr_source *source;
	uint64_t number; // of the last line, from 1
	char *line;
};

// The next line without its newline (or carriage return and newline), the first without a byte
// order mark of UTF-8; zero-terminated, lent until the next call; the caller may change it. The
// last line needs no newline. TR_END: no more. TR_ERROR: reading failed, the line is longer than
// TR_LINE_MAX or has a zero byte or a carriage return before its end.
enum tr_status tr_lines_next(struct tr_lines *lines, char **line, struct tr_error *err);

// Writes "NAME:LINE: " for the last line, and the formatted text. Returns TR_ERROR.
enum tr_status tr_lines_fail(const struct tr_lines *lines, struct tr_error *err, const char *format,
			     ...) __attribute__((format(printf, 3, 4)));

// Frees its memory, not the source.
void tr_lines_clear(struct tr_lines *lines);

#endif
