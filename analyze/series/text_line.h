// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of numbers: words separated by blanks, tabs or commas; what follows a # is skipped.
#ifndef ANALYZE_TEXT_LINE_H
#define ANALYZE_TEXT_LINE_H

#include "trace/source.h"
#include "trace/status.h"

#define TEXT_LINE_BYTES 65537 // of the longest line and its zero

// Takes a line, without its end and comment, which it may change; lent. TR_ERROR ends the reading.
typedef enum tr_status text_line_sink(void *context, char *line, struct tr_error *err);

// Hands every line of the source on. TR_ERROR with the line's number, from 1, in front of what take or the source says,
// or where a line is longer than TEXT_LINE_BYTES - 1 or has a zero byte.
enum tr_status text_line_each(struct tr_source *source, text_line_sink *take, void *context, struct tr_error *err);

// Cuts the next word off *rest, which begins as the line; NULL where there is none.
char *text_line_word(char **rest);

#endif
